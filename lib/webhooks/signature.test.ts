import { expect, test } from "vitest";
import { newWebhookSecret, signedHeaders } from "./signature.ts";

test("signs as the specification's example", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const message = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    now: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  };
  expect(signedHeaders([secret], message)).toEqual({
    "webhook-id": message.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
  const [first, second] = signedHeaders([secret, newWebhookSecret()], message)["webhook-signature"].split(
    " ",
  );
  expect(first).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  expect(second).toMatch(/^v1,[\w+/]{43}=$/);
});
