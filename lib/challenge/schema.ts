import { z } from "zod";

/** The largest counter: it is four bytes. */
const counterMaximum = 0xffff_ffff;

const hexadecimal = z.string().regex(/^[\da-f]*$/, "must be hexadecimal, in lower case");

/**
 * A signed task (ALTCHA's proof of work, version 2).
 * With how to solve it, for readers of the API's description.
 */
export const challengeSchema = z
  .object({
    parameters: z.object({
      algorithm: z.literal("PBKDF2/SHA-256"),
      cost: z.int().positive().describe("PBKDF2's iterations."),
      keyLength: z.int().positive().describe("Bytes of the derived key."),
      keyPrefix: hexadecimal.describe("The hexadecimal digits that the derived key must begin with."),
      nonce: hexadecimal,
      salt: hexadecimal,
      data: z.object({
        purpose: z.string().describe("The operation for which it was issued."),
        issuedAt: z.int().describe("Milliseconds since 1970."),
        expiresAt: z.int().describe("The last millisecond since 1970 at which it is taken."),
      }),
    }),
    signature: hexadecimal,
  })
  .describe(
    "A proof of work, in ALTCHA's second version. Try the counters 0, 1, 2 and so on: derive a key of keyLength bytes with " +
      "PBKDF2-HMAC-SHA-256 in `cost` iterations; the password is the nonce's bytes followed by the counter as four bytes, " +
      "big-endian, the salt is the salt's bytes. The first key whose hexadecimal form begins with keyPrefix solves it. " +
      "Send the challenge back as it came. It is good for one account or one subscription.",
  );

export const solutionSchema = z
  .object({
    counter: z.int().min(0).max(counterMaximum),
    derivedKey: hexadecimal.describe("The key derived with this counter, in lower-case hexadecimal."),
  })
  .describe("A counter that solves the challenge.");

export type Challenge = z.infer<typeof challengeSchema>;
export type Solution = z.infer<typeof solutionSchema>;
