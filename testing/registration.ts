/** Registering in tests: limits that let one address make many accounts. */

/** For LIMITS: all people of the tests come from one address. */
export const manyAccounts = {
  "register.address": { capacity: 500 },
  "register.network": { capacity: 500 },
  "register.wide-network": { capacity: 500 },
  "register.site": { capacity: 500 },
};
