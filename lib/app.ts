/** The context that pages, actions and the API pass to posts, ratings and accounts. */
import { authSecret } from "./auth/secret.ts";
import { derivedKey } from "./auth/token.ts";
import { database } from "./database.ts";
import { createGuard } from "./limits/guard.ts";
import { type Limits, limits } from "./limits/index.ts";
import { type LimiterStore, limiterStore } from "./limits/store.ts";
import type { Guard } from "./limits/types.ts";
import { throttledLog } from "./logging/throttled-log.ts";
import { canSendLinks } from "./mail/settings.ts";
import { mailLinkKey, siteMail } from "./mail/site-mail.ts";
import { createRenderer, type Renderer } from "./markdown/index.ts";
import { createImageEncoder, type ImageEncoder } from "./media/encoder.ts";
import { type MediaFolder, mediaFolder } from "./media/folder.ts";
import type { HealthPart } from "./observe/health.ts";
import { countingOutages, countRedisRetry } from "./observe/metrics.ts";
import { observedGuard } from "./observe/observed-guard.ts";
import { timedStates } from "./observe/timed-states.ts";
import { dailyNetworkHasher } from "./ratings/networks.ts";
import { catchUp } from "./ratings/tally/saved-tally.ts";
import { scoring } from "./ratings/tally/scoring-settings.ts";
import { sessionLifetimesFrom } from "./sessions/lifetimes.ts";
import { mediaFolderPath } from "./settings/data-folder.ts";
import { durationMs } from "./settings/durations.ts";
import { env } from "./settings/env.ts";
import { siteSettings } from "./site/index.ts";
import { trustedTime } from "./time/current-time.ts";
import { browserSecretFrom } from "./users/known-browsers.ts";
import { registrationFrom } from "./users/settings.ts";

export function app() {
  const mail = siteMail();
  return {
    database: database(),
    limits: knownLimits(),
    guard: guard(),
    renderer: renderer(),
    previewRenderer: previewRenderer(),
    registration: { ...registration(), mode: siteSettings().REGISTRATION },
    whoMayWrite: siteSettings().WHO_MAY_WRITE,
    // Without mail no address can be confirmed.
    emailVerification: canSendLinks({ mail }) ? siteSettings().EMAIL_VERIFICATION : "off",
    ratingMaxWaitMs,
    newAccountMs,
    sessionLifetimes,
    adminSecondFactor: env.ADMIN_SECOND_FACTOR,
    secondFactorKey: () => derivedKey(authSecret(), "second factors"),
    exportKey: () => derivedKey(authSecret(), "exports of accounts"),
    webhookKey: () => derivedKey(authSecret(), "webhooks"),
    webhooksMayBePrivate: env.WEBHOOK_PRIVATE_ADDRESSES === "allow",
    browserSecret: () => browserSecretFrom(authSecret()),
    scoring,
    hashNetwork,
    mail,
    linkKey: mailLinkKey,
    mediaFolder: folder,
    imageEncoder: imageEncoder(),
    mediaBytesPerUser: env.MEDIA_MB_PER_USER * 1024 * 1024,
  };
}

/** The parts that the app needs to serve requests, with their health checks. */
export function neededParts(): HealthPart[] {
  return [{ name: "database", check: () => database().ping() }, ...limiterStoreParts()];
}

/** The limiter store's health check, if it has one of its own. */
export function limiterStoreParts(): HealthPart[] {
  guard();
  const ping = shared.weirLimiterStore?.ping;
  return ping ? [{ name: "limiter store", check: ping }] : [];
}

/**
 * Like `app()`, after doing the work due by `now` (milliseconds).
 * Work is done only up to the trusted part of `now`. For readers of scores and windows.
 */
export async function currentApp(now: number) {
  await catchUp(database(), trustedTime(now), scoring, reportCatchUp);
  return app();
}

const reportCatchUp = throttledLog("a post's tally could not be brought up to date");

const folder: MediaFolder = mediaFolder(mediaFolderPath(env));
const hashNetwork = dailyNetworkHasher(authSecret);
const sessionLifetimes = sessionLifetimesFrom(env);
const newAccountMs = durationMs(env.NEW_ACCOUNT_HOURS, "hours");
const ratingMaxWaitMs = env.RATING_OVERFLOW === "wait" ? env.RATING_MAX_WAIT_MS : 0;

// On the global object, because Next.js may load this module more than once per process, and all waiting requests
// must share one queue.
const shared: {
  weirGuard?: Guard;
  weirLimiterStore?: LimiterStore | undefined;
  weirLimits?: Limits;
  weirRenderer?: Renderer;
  weirPreviewRenderer?: Renderer;
  weirImageEncoder?: ImageEncoder;
  weirRegistration?: ReturnType<typeof registrationFrom>;
} & typeof globalThis = globalThis;

/** One object per process: the guard's observer compares limits by identity. */
function knownLimits(): Limits {
  shared.weirLimits ??= limits;
  return shared.weirLimits;
}

function renderer(): Renderer {
  shared.weirRenderer ??= createRenderer();
  return shared.weirRenderer;
}

function previewRenderer(): Renderer {
  shared.weirPreviewRenderer ??= createRenderer({ threads: 1 });
  return shared.weirPreviewRenderer;
}

function imageEncoder(): ImageEncoder {
  shared.weirImageEncoder ??= createImageEncoder();
  return shared.weirImageEncoder;
}

function registration(): ReturnType<typeof registrationFrom> {
  shared.weirRegistration ??= registrationFrom(env, authSecret);
  return shared.weirRegistration;
}

function guard(): Guard {
  if (!shared.weirGuard) {
    const report = throttledLog("limiter states cannot be read or written");
    const store = limiterStore(env, report, countRedisRetry);
    shared.weirLimiterStore = store;
    const guard = createGuard({
      ...timedStates(database(), store, env.LIMITER_STORE),
      rules: env.ACCESS_RULES,
      report: countingOutages(report),
    });
    shared.weirGuard = observedGuard(guard, knownLimits());
  }
  return shared.weirGuard;
}
