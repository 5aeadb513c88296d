/** What `compose.yaml` names exists: settings, files, services, addresses and ports. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readSettings, settingNames } from "../lib/settings/env.ts";

const texts = z.record(z.string(), z.union([z.string(), z.number()]).transform(String));
const composeFile = z.object({
  services: z.record(
    z.string(),
    z.object({
      profiles: z.array(z.string()),
      image: z.string(),
      build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
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

test("of many, only nginx publishes a port, the one that it listens on", () => {
  const reachable = inProfile("many").filter((name) => services[name]?.ports.length !== 0);
  expect(reachable).toEqual(["nginx"]);
  const [, inside] = services.nginx?.ports[0]?.split(":") ?? [];
  expect(nginx).toContain(`listen ${inside};`);
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
    expect(names).toContain(host);
  }
});

test("a node's settings are valid once the secrets are filled in; each missing one is named", () => {
  const settings = Object.entries(services["node-1"]?.environment ?? {});
  const secrets: Record<string, string> = {
    AUTH_SECRET: "a".repeat(64),
    POSTGRES_PASSWORD: "b".repeat(64),
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
      if (/SECRET|PASSWORD|KEY$/.test(setting))
        expect(value, `${name} ${setting}`).toMatch(/^\$\{[A-Z_]+:-\}$/);
});
