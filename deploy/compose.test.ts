/**
 * The compose files name only existing things.
 * Settings, files, services, addresses, ports, roles and passwords.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { openPostgres } from "../db/dialects/postgres/index.ts";
import { memoryMaximumMb } from "../lib/import-uploads/run.ts";
import { readSettings, settingNames } from "../lib/settings/env.ts";
import { startPostgres } from "../scripts/cluster/start-postgres.ts";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { temporaryFolder } from "../testing/database.ts";
import { patientTimeouts } from "../testing/postgres-server.ts";

const texts = z.record(z.string(), z.union([z.string(), z.number()]).transform(String));
const composeFile = z.object({
  services: z.record(
    z.string(),
    z.object({
      profiles: z.array(z.string()),
      image: z.string(),
      build: z.object({ context: z.string(), dockerfile: z.string(), args: texts }).optional(),
      command: z.array(z.string()).default([]),
      mem_limit: z.string(),
      pids_limit: z.int().positive(),
      read_only: z.boolean().default(false),
      restart: z.string(),
      stop_grace_period: z.string(),
      ports: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
      environment: texts.default({}),
      extra_hosts: z.array(z.string()).default([]),
      networks: z
        .union([z.array(z.string()), z.record(z.string(), z.object({ ipv4_address: z.string() }).nullable())])
        .default([]),
      healthcheck: z.unknown().optional(),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
});

const source = readFileSync("deploy/compose.yaml", "utf8");
const { services, volumes } = composeFile.parse(parse(source, { merge: true }));
const names = Object.keys(services);
const inProfile = (profile: string) => names.filter((name) => services[name]?.profiles.includes(profile));
const nginx = readFileSync("deploy/nginx.conf", "utf8");
const port = /^EXPOSE (\d+)$/m.exec(readFileSync("deploy/Dockerfile", "utf8"))?.[1];

test("it has two profiles: one container with a volume, and many", () => {
  expect(inProfile("one")).toEqual(["weir"]);
  expect(services.weir?.volumes).toEqual(["data:/data"]);
  expect(inProfile("many").toSorted()).toEqual(["nginx", "node-1", "node-2", "postgres", "valkey"]);
  expect(names).toHaveLength(6);
});

test("every file, volume and service that it names exists", () => {
  for (const [name, service] of Object.entries(services)) {
    for (const volume of service.volumes) {
      const [from = ""] = volume.split(":");
      if (from.startsWith(".")) expect(existsSync(join("deploy", from)), volume).toBe(true);
      else expect(Object.keys(volumes), volume).toContain(from);
    }
    if (service.build) {
      expect(resolve("deploy", service.build.context)).toBe(resolve("."));
      expect(existsSync(join("deploy", service.build.context, service.build.dockerfile))).toBe(true);
    }
    for (const [other, { condition }] of Object.entries(service.depends_on)) {
      expect(inProfile("many")).toContain(other);
      expect(condition).toBe("service_healthy");
      const itsOwnCheck = services[other]?.healthcheck !== undefined || services[other]?.build !== undefined;
      expect(itsOwnCheck, `${name} waits for the health of ${other}`).toBe(true);
    }
  }
});

test("every container is read-only but for its volumes, restarts, and has time to stop", () => {
  for (const [name, service] of Object.entries(services)) {
    expect(service.read_only, name).toBe(true);
    expect(service.restart, name).toBe("unless-stopped");
    expect(service.stop_grace_period, name).toMatch(/^[36][05]s$/);
  }
});

test("every container has a limit of its memory and its processes", () => {
  for (const [name, { mem_limit: memory, pids_limit: processes }] of Object.entries(services)) {
    expect(memory, name).toMatch(/^\d+[mg]$/);
    expect(processes, name).toBeLessThanOrEqual(256);
  }
});

test("the process of an import fits beside the server's gigabyte in a node's memory", () => {
  const nodes = Object.values(services).filter(({ image }) => image === "weir");
  expect(nodes.length).toBeGreaterThan(1);
  const megabytes = nodes.map(({ mem_limit: limit }) => Number.parseInt(limit, 10) * 1_024);
  expect(Math.min(...megabytes)).toBeGreaterThan(1_024 + 1.25 * memoryMaximumMb);
});

test("every image has a version and a digest, and another can take its place", () => {
  const images = Object.values(services).map(({ image, build }) => build?.args.NODE_IMAGE ?? image);
  expect(new Set(images).size).toBe(4);
  for (const image of images) {
    expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[a-z/]+:[\d.]+-[a-z]+@sha256:[\da-f]{64}\}$/);
    const [, setting = ""] = /^\$\{(\w+):/.exec(image) ?? [];
    expect(source.slice(0, source.indexOf("\nname:"))).toContain(setting);
  }
  const [, node = ""] = /^ARG NODE_IMAGE=(.*)$/m.exec(readFileSync("deploy/Dockerfile", "utf8")) ?? [];
  expect(images).toContain(`\${NODE_IMAGE:-${node}}`);
});

test("of many, only nginx publishes a port, the one that it listens on", () => {
  const reachable = inProfile("many").filter((name) => services[name]?.ports.length !== 0);
  expect(reachable).toEqual(["nginx"]);
  expect(services.nginx?.ports).toEqual([expect.stringMatching(/:-8080\}:8080$/)]);
  expect(nginx).toContain("listen 8080;");
  expect(services.weir?.ports).toEqual([`127.0.0.1:3000:${port}`]);
});

test("nginx's upstreams are the nodes, at their addresses and the image's port", () => {
  const nodes = [...nginx.matchAll(/^\s*server ([\w-]+):(\d+) /gm)].map(([, name, to]) => ({ name, to }));
  expect(nodes.map(({ name }) => name)).toEqual(names.filter((name) => name.startsWith("node-")));
  for (const { name = "", to } of nodes) {
    expect(to).toBe(port);
    const networks = services[name]?.networks ?? [];
    const address = Array.isArray(networks) ? undefined : networks.front?.ipv4_address;
    expect(services.nginx?.extra_hosts).toContain(`${name}:${address}`);
  }
});

test("both nodes have the same settings, all known to the app", () => {
  const settings = services["node-1"]?.environment ?? {};
  expect(services["node-2"]?.environment).toEqual(settings);
  expect(settings).toMatchObject({ LIMITER_STORE: "redis", TRUSTED_PROXY_HOPS: "1", NODES: "2" });
  expect(Object.keys(settings).filter((name) => !settingNames.includes(name))).toEqual([]);
  for (const [name, host] of [
    ["DATABASE_URL", "postgres"],
    ["REDIS_URL", "valkey"],
  ] as const) {
    // The password is the engine's to fill in.
    const url = new URL((settings[name] ?? "").replace(/\$\{[^}]*\}/, "secret"));
    expect(url.hostname).toBe(host);
    expect(url.password).toBe("secret");
    expect(names).toContain(host);
  }
});

test("a node's settings are valid once the secrets are filled in; each missing one is named", () => {
  const settings = Object.entries(services["node-1"]?.environment ?? {});
  const secrets: Record<string, string> = {
    AUTH_SECRET: "a".repeat(64),
    POSTGRES_PASSWORD: "b".repeat(64),
    VALKEY_PASSWORD: "c".repeat(64),
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
  };
  const filledIn = (values: Record<string, string>) =>
    Object.fromEntries(
      settings.map(([name, value]) => [
        name,
        value.replaceAll(/\$\{(\w+):-\}/g, (_, variable: string) => values[variable] ?? ""),
      ]),
    );
  expect(readSettings(filledIn(secrets))).toMatchObject({ ok: true });
  const without = readSettings(filledIn({}));
  expect(Object.keys(without.ok ? {} : without.errors)).toEqual([
    "AUTH_SECRET",
    "NEXT_SERVER_ACTIONS_ENCRYPTION_KEY",
  ]);
});

test("it contains no secret", () => {
  for (const [name, { environment }] of Object.entries(services))
    for (const [setting, value] of Object.entries(environment))
      if (/SECRET|PASSWORD|AUTH$|KEY$/.test(setting))
        expect(value, `${name} ${setting}`).toMatch(/^\$\{[A-Z_]+:-\}$/);
});

test("with TLS, nginx has its port, its settings, the certificate and the challenges", () => {
  const override = z
    .object({
      services: z.object({
        nginx: z.object({
          entrypoint: z.array(z.string()),
          ports: z.array(z.string()),
          volumes: z.array(z.string()),
        }),
      }),
    })
    .parse(parse(readFileSync("deploy/compose.tls.yaml", "utf8")));
  const { entrypoint, ports, volumes } = override.services.nginx;
  const settings = readFileSync("deploy/nginx-tls.conf", "utf8");
  expect(ports).toEqual([expect.stringMatching(/:-443\}:8443$/)]);
  expect(settings).toContain("listen 8443 ssl;");
  expect(nginx).toContain("include /etc/nginx/tls/*.conf;");
  expect(volumes[0]).toBe("./nginx-tls.conf:/etc/nginx/tls/tls.conf:ro");
  for (const volume of volumes.slice(1)) {
    const [, folder = ""] = /:(\/etc\/nginx\/\w+):ro$/.exec(volume) ?? [];
    expect(settings).toContain(` ${folder}`);
  }

  // The command writes the port of visitors to a file that nginx includes, and then becomes nginx.
  const folder = temporaryFolder();
  const [shell = "", ...args] = entrypoint.map((text) =>
    text
      .replaceAll("$$", "$")
      .replaceAll(/\$\{HTTPS_PORT:-443\}/g, "8443")
      .replaceAll("/tmp/", `${folder}/`)
      .replace("exec nginx", "exec echo nginx"),
  );
  expect(execFileSync(shell, args, { encoding: "utf8" })).toBe("nginx -g daemon off;\n");
  expect(readFileSync(join(folder, "https-port.conf"), "utf8")).toBe('set $https_port ":8443";\n');
  expect(settings).toContain("include /tmp/https-port.conf;");
});

test("the nodes' role in PostgreSQL owns the database and is not a superuser, and the superuser has no password", async () => {
  expect(services.postgres?.volumes).toContain("./postgres-role.sql:/docker-entrypoint-initdb.d/role.sql:ro");
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  // psql's own line and variable: the password is in the container's environment.
  const script = readFileSync("deploy/postgres-role.sql", "utf8");
  expect(script).toContain("\\getenv password POSTGRES_PASSWORD\n");
  const sql = postgres(server.url("postgres"), { max: 1 });
  await sql.unsafe("create database another");
  for (const statement of script.replace(/^(--|\\getenv).*\n/gm, "").split(";\n"))
    await sql.unsafe(statement.replace(":'password'", "'secret'"));
  await sql.end();
  const url = new URL(server.url("weir"));
  Object.assign(url, { username: "weir", password: "secret" });
  // All migrations run, and the blog works.
  const database = await openPostgres(url.href, { timeouts: patientTimeouts });
  expect(await database.users.isFirst()).toBe(true);
  await database.close();
  const role = postgres(url.href, { max: 1 });
  onTestFinished(() => role.end());
  const [rights] = await role`
    select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`;
  expect(Object.values(rights ?? {})).toEqual([false, false, false, false, false]);
  for (const forbidden of [
    "create role other",
    "create database other",
    "alter system set fsync = off",
    "copy (select 1) to program 'true'",
    "select pg_read_file('/etc/passwd')",
    "alter role weir superuser",
    "set role postgres",
  ])
    await expect(role.unsafe(forbidden), forbidden).rejects.toMatchObject({ code: "42501" });
  const superuser = postgres(server.url("weir"), { max: 1 });
  await expect(superuser`select 1`).rejects.toThrow("password authentication failed");
  await superuser.end();
});

test("Valkey refuses requests without the password, and is in protected mode without one", async () => {
  const options = services.valkey?.command.slice(1) ?? [];
  const withPassword = (password: string) =>
    options.map((option) => option.replace(/^\$\{VALKEY_PASSWORD:-\}$/, password));
  // Redis stands in for Valkey, which has the same options.
  const server = await startRedis({ options: withPassword("secret") });
  onTestFinished(() => server.stop());
  await expect(server.send("PING")).rejects.toThrow("NOAUTH");
  expect(await server.send("AUTH secret\r\nCONFIG GET maxmemory-policy")).toContain("noeviction");
  const open = await startRedis({ options: withPassword("") });
  onTestFinished(() => open.stop());
  expect(await open.send("CONFIG GET protected-mode")).toContain("yes");
});
