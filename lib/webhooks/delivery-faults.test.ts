import { expect, test } from "vitest";
import { deliveryFaults, faultNamed } from "./delivery-faults.ts";

test("names every fault that is saved in words, and the usual codes", () => {
  for (const [name, saved] of Object.entries(deliveryFaults)) expect(faultNamed(saved)).toBe(name);
  expect(faultNamed("HTTP 503")).toBe("status");
  expect(faultNamed("HTTP 302")).toBe("status");
  expect(faultNamed("ECONNREFUSED")).toBe("refused");
  expect(faultNamed("CERT_HAS_EXPIRED")).toBe("certificate");
});

test("names neither a success nor an unknown code", () => {
  for (const saved of [null, "HTTP 204", "EPROTO"]) expect(faultNamed(saved)).toBeUndefined();
});
