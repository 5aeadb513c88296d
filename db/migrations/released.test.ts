import { readMigrationFiles } from "drizzle-orm/migrator";
import { expect, test } from "vitest";

/** SHA-256 of each released migration, which a database records when it applies one. */
const released = {
  sqlite: [
    "1037c65aecae785600ac751663f8571b0e3a81fb80fc06f38bb5c9a5cb625b6c",
    "8b54049165c5c05e83437a3c34def0d13aaa88f6da07edfa08f73f93f61a2350",
    "91fa0207f55390201c64029183cbe0526422417b152410dc3f90af5bac982dc9",
    "7f7a1ce03f254ed51c75d6acd3e386e920deffee8c0ce48faf61095582ecff6f",
    "f50b936b7271e8b55b3c4198db0574cb4cc1c17651836b20524c943ff155fb31",
    "6f9c7ab8a509a1880021908aceeaa6910aec4b5fd1b1b7c4881cfc3e9e5f2d7e",
    "b2a422ad7eb5139f9bc32f711c7bb96f38f0fdb5e335fe0967c2f61a217287ba",
  ],
  postgres: [
    "89c83bf38e2bf36402dd3efbde512ecd9fe7ed62a3e064612ac77c1c056416ec",
    "4c5c562caa1682907c00bfb41c1f99c46720c487e0ae140b3132ab40fea2560a",
    "b212e2f74462094b5a30b25f554b16eeb23d78dc5c0b1bf21cc14d3430c47b8c",
    "c9c11baf2b2032cb50f16c84f861447958f67558fb457c4e68a994cc4c89adac",
  ],
};

test.each(["sqlite", "postgres"] as const)(
  "released migrations of %s are unchanged and come first",
  (dialect) => {
    const files = readMigrationFiles({ migrationsFolder: `db/migrations/${dialect}` });
    expect(files.slice(0, released[dialect].length).map(({ hash }) => hash)).toEqual(released[dialect]);
  },
);
