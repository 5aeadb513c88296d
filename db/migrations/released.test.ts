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
    "249e46d042ecc539185add4047844b5f9371b0274fca796ccba67114bf03b643",
    "06f86d07bc886b7bf77f5995caeab1dad104390109c39658b50914c680d35df3",
    "5fae93a5b4c318546f8ee795dadfd1f042162132df321bab67ab550ad027b8e7",
    "6b1667ba4419e2edf4b41c82c4e2320b3135e4ab20829bfab10400c0b6a3e389",
    "0deb5576c9435d14a0b4a78d820739afa7d3866621df807b5059a454e5320863",
    "fb79bd2fe19264f0e13fda0bf0b118f480fbd85d584cd571fe5b154ccb4eaab2",
    "c670de644c46007a054337db86a108cad366365caaf88b58c4d5c8995be549a5",
    "ead0d889cb321442eece93be22b95a5961ad9e4972884efee96cf24a1fcd7717",
    "3c80b764f232ee189538922ea47a8f0c66b10262eb0436f36193723df1fea8d2",
    "9739b66b0202ebefdd7ded183dd4f330b1214ee121eb08a05728321cf893944e",
  ],
  postgres: [
    "89c83bf38e2bf36402dd3efbde512ecd9fe7ed62a3e064612ac77c1c056416ec",
    "4c5c562caa1682907c00bfb41c1f99c46720c487e0ae140b3132ab40fea2560a",
    "b212e2f74462094b5a30b25f554b16eeb23d78dc5c0b1bf21cc14d3430c47b8c",
    "c9c11baf2b2032cb50f16c84f861447958f67558fb457c4e68a994cc4c89adac",
    "a32298b99f2afe168a11620926a2f58cc7795dfa55af70d1eb1e7ff0e8be9fdf",
    "6048842ea1a2cbf08ab2c57a52083b9bb0d774965a9e5bc1b10efcefe4b08a8c",
    "49be2f33ec17851e8fa7fcb131d899f51831250ac19db95d10bfe365fc47c6b3",
    "63b263cec21e2beb6d94eb6e1f0520cdade5e5f07c9c0233762f71f009e9e808",
    "b55ccd84a25e6e46f492c25d86af4d8bbbac3851354e19fc4376cd8d1d67105b",
    "9d3fa94a1aa044b53f400971fa4033d34752a06ca5a8b8c7dd704a9049a103db",
    "113ef9bd1395aff14a589500bc66b11a5ebf99ceb1c2d3247673721d895a3162",
    "3e8639df4336e56e3b59489b213e141463f1b0437fb336bb3dfd1dd099b8ec2e",
    "c44e8bd1af8e6b8b439d8a00a4dc100e050a20465eefe1031a38959dd639e39f",
    "333b7e6d65808989c7d1884c32005430addc809b57ef0dfcbcf6c7ac8b31ac6d",
  ],
};

test.each(["sqlite", "postgres"] as const)(
  "released migrations of %s are unchanged and come first",
  (dialect) => {
    const files = readMigrationFiles({ migrationsFolder: `db/migrations/${dialect}` });
    expect(files.slice(0, released[dialect].length).map(({ hash }) => hash)).toEqual(released[dialect]);
  },
);
