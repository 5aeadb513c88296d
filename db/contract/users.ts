import { expect, test } from "vitest";
import { addPost, addUser, addUsers, morning, type Open, rating, userNamed } from "./setting.ts";

export function userContract(open: Open): void {
  test("finds a user by id and by username as it was saved", async () => {
    const { users } = await open();
    const ada = userNamed("Ada", { isAdministrator: true, createdAt: 9_007_199_254_740_991 });
    const id = await users.insert(ada);
    const unset = {
      usernameSkeleton: null,
      lowerCaseSkeleton: null,
      isModerator: false,
      isWriter: false,
      writingRequestedAt: null,
      disabledAt: null,
      changeId: null,
      deletedAt: null,
      pendingSince: null,
      pendingNetwork: null,
      emailConfirmedAt: null,
      mustConfirmEmail: false,
    };
    const row = { ...ada, ...unset, id, sessionVersion: 1 };
    expect(await users.byId(id)).toEqual(row);
    expect(await users.byUsernameKey("ada")).toEqual(row);
    expect(await users.emailTaken("ada@example.org")).toBe(true);
  });

  test("searches on after a user, and from the beginning when that user is gone", async () => {
    const database = await open();
    const { users, transaction } = database;
    const ids = await addUsers(database, 4);
    const found = async (afterId?: number) =>
      (await users.search({ beginning: { of: "username", text: "user-" }, afterId, limit: 9 })).map(
        ({ id }) => id,
      );
    expect(await found()).toEqual(ids);
    const [first, second = 0, third = 0, fourth] = ids;
    expect(await found(second)).toEqual([third, fourth]);
    await transaction(() => users.remove(second));
    expect(await found(second)).toEqual([first, third, fourth]);
    await transaction(() => users.markDeleted(third, morning));
    expect(await found(third)).toEqual([first, fourth]);
  });

  test("finds no user that does not exist", async () => {
    const { users } = await open();
    await users.insert(userNamed("ada"));
    expect(await users.byId(99)).toBeUndefined();
    for (const key of ["", "Ada", "a", "ada ", "%", "ada\0", "\ud800", "'", "\\"])
      expect(await users.byUsernameKey(key)).toBeUndefined();
    expect(await users.emailTaken("Ada@Example.org")).toBe(false);
  });

  test("rejects a username or email in use, compared by their keys", async () => {
    const { users } = await open();
    await users.insert(userNamed("ada"));
    await expect(users.insert(userNamed("bo", { usernameKey: "ada" }))).rejects.toThrow();
    await expect(users.insert(userNamed("bo", { emailKey: "ada@example.org" }))).rejects.toThrow();
    expect(await users.byUsernameKey("bo")).toBeUndefined();
    for (const key of ["ádá", "ada ", "ADA", "аda"])
      await users.insert(userNamed(key, { usernameKey: key, emailKey: key }));
  });

  test("a username's skeletons belong to one user, and are missing until they are set", async () => {
    const database = await open();
    const { users } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    expect(await users.withoutSkeleton(1)).toEqual([{ id: ada, username: "user-1" }]);
    const skeletons = { usernameSkeleton: "user-l", lowerCaseSkeleton: "user-i" };
    await users.setSkeletons(ada, skeletons);
    expect(await users.withoutSkeleton(9)).toEqual([{ id: bo, username: "user-2" }]);
    const taken = (skeleton: string, exceptUserId?: number) => users.skeletonTaken(skeleton, exceptUserId);
    expect([await taken("user-l"), await taken("user-i"), await taken("user-2")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await taken("user-l", ada), await taken("user-l", bo)]).toEqual([false, true]);
    await expect(users.setSkeletons(bo, { ...skeletons, lowerCaseSkeleton: "user-2" })).rejects.toThrow();
    await expect(users.setSkeletons(bo, { ...skeletons, usernameSkeleton: "user-2" })).rejects.toThrow();
    await expect(users.insert(userNamed("user-l", { lowerCaseSkeleton: "user-i" }))).rejects.toThrow();
  });

  test("reports only the first registration as first", async () => {
    const { users } = await open();
    expect(await users.isFirst()).toBe(true);
    expect(await users.newestId(morning)).toBe(0);
    const id = await users.insert(userNamed("ada"));
    expect(await users.isFirst()).toBe(false);
    expect([await users.newestId(morning - 1), await users.newestId(morning)]).toEqual([0, id]);
  });

  test("lets one of several concurrent registrations be the first", async () => {
    const { users, transaction } = await open();
    const register = (name: string) =>
      transaction(async () => {
        const isFirst = await users.isFirst();
        await users.insert(userNamed(name, { isAdministrator: isFirst }));
        return isFirst;
      });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => register(`user-${index}`)));
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  test("a new password ends every session, and so does endSessions", async () => {
    const { users, sessions } = await open();
    const [ada, bo] = [await users.insert(userNamed("ada")), await users.insert(userNamed("bo"))];
    const start = (userId: number, tokenHash: string) =>
      sessions.insert({ userId, tokenHash, device: "A device", createdAt: 1, lastUsedAt: 1 }, 9);
    const all = { usedAfter: 0, begunAfter: 0, latest: Number.MAX_SAFE_INTEGER };
    const hashes = async (userId: number) =>
      (await sessions.ofUser(userId, all)).map(({ tokenHash }) => tokenHash);
    for (const [userId, hash] of [
      [ada, "a"],
      [ada, "b"],
      [bo, "c"],
    ] as const)
      await start(userId, hash);
    await users.setPasswordAndEndSessions(ada, "new");
    expect(await users.byId(ada)).toMatchObject({ passwordHash: "new", sessionVersion: 2 });
    expect([await hashes(ada), await hashes(bo)]).toEqual([[], ["c"]]);
    await start(ada, "d");
    await users.endSessions(ada);
    expect([await hashes(ada), await hashes(bo)]).toEqual([[], ["c"]]);
  });

  test("disables a user from an instant on, and enables them again", async () => {
    const { users } = await open();
    const ada = await users.insert(userNamed("ada"));
    await users.setDisabledAt(ada, morning);
    expect((await users.byId(ada))?.disabledAt).toBe(morning);
    await users.setDisabledAt(ada, null);
    expect((await users.byId(ada))?.disabledAt).toBeNull();
  });

  test("makes the oldest account that is not disabled an administrator when none is left", async () => {
    const database = await open();
    const { users } = database;
    const [first, second, third] = [
      await addUser(database, "first"),
      await addUser(database, "second"),
      await addUser(database, "third"),
    ];
    await users.setDisabledAt(first, morning);
    await users.keepAnAdministrator();
    const administrators = async () =>
      (await Promise.all([first, second, third].map((id) => users.byId(id))))
        .filter((user) => user?.isAdministrator)
        .map((user) => user?.id);
    expect(await administrators()).toEqual([second]);
    await users.keepAnAdministrator();
    expect(await administrators()).toEqual([second]);
    // An administrator who cannot log in does not count.
    await users.setDisabledAt(second, morning);
    await users.keepAnAdministrator();
    expect(await administrators()).toEqual([second, third]);
  });

  test("keeps one of two administrators who leave at once", async () => {
    const database = await open();
    const { users, transaction } = database;
    const stays = await addUser(database, "stays");
    const leaving = [
      await addUser(database, "one", { isAdministrator: true }),
      await addUser(database, "two", { isAdministrator: true }),
    ];
    await Promise.all(
      leaving.map((id) =>
        transaction(async () => {
          await users.remove(id);
          await users.keepAnAdministrator();
        }),
      ),
    );
    expect((await users.byId(stays))?.isAdministrator).toBe(true);
  });

  test("grants and revokes the administrator role, and counts only enabled administrators", async () => {
    const database = await open();
    const { users } = database;
    const [ada, bo] = [await addUser(database, "ada"), await addUser(database, "bo")];
    expect(await users.hasOtherAdministrator(ada)).toBe(false);
    await users.setAdministrator(ada, true);
    expect(await users.hasOtherAdministrator(ada)).toBe(false);
    expect(await users.hasOtherAdministrator(bo)).toBe(true);
    expect(await users.hasMoreAdministratorsThan(0)).toBe(true);
    expect(await users.hasMoreAdministratorsThan(1)).toBe(false);
    await users.setDisabledAt(ada, morning);
    expect(await users.hasOtherAdministrator(bo)).toBe(false);
    expect(await users.hasMoreAdministratorsThan(0)).toBe(false);
    await users.setDisabledAt(ada, null);
    await users.setAdministrator(ada, false);
    expect(await users.hasOtherAdministrator(bo)).toBe(false);
    expect((await users.all()).map(({ id, isAdministrator }) => [id, isAdministrator])).toEqual([
      [ada, false],
      [bo, false],
    ]);
  });

  test("keeps one of two administrators who are demoted at once", async () => {
    const database = await open();
    const { users, transaction } = database;
    const both = [
      await addUser(database, "one", { isAdministrator: true }),
      await addUser(database, "two", { isAdministrator: true }),
    ];
    const unmake = (id: number) =>
      transaction(async () => {
        const isAnother = await users.hasOtherAdministrator(id);
        if (isAnother) await users.setAdministrator(id, false);
        return isAnother;
      });
    // Again and again: where nothing keeps them apart, they do not always meet.
    for (let round = 0; round < 10; round += 1) {
      for (const id of both) await users.setAdministrator(id, true);
      expect((await Promise.all(both.map(unmake))).toSorted()).toEqual([false, true]);
    }
  });

  test("removes a user with their posts and ratings, and keeps attempts and decisions without a name", async () => {
    const database = await open();
    const { users, posts, ratings, attempts, floodWindows, transaction } = database;
    const [author, rater] = [await addUser(database, "author"), await addUser(database, "rater")];
    const [mine, theirs] = [
      await addPost(database, author, "mine"),
      await addPost(database, rater, "theirs"),
    ];
    await transaction(async () => {
      await ratings.insert(rating(mine, rater));
      await ratings.insert(rating(theirs, author));
      await attempts.insert({
        postId: mine,
        userId: rater,
        at: morning,
        verb: "create",
        score: 4,
        allowed: true,
        held: false,
        policy: null,
        reason: null,
        level: null,
      });
      await floodWindows.recordDecision(mine, {
        window: 1,
        at: morning,
        status: "excluded",
        decidedBy: "person",
        userId: rater,
        ratings: 3,
      });
    });
    await transaction(() => users.remove(rater));
    expect(await users.byId(rater)).toBeUndefined();
    expect(await posts.idOf("theirs")).toBeUndefined();
    expect(await posts.idOf("mine")).toBeDefined();
    expect(await ratings.find(mine, rater)).toBeUndefined();
    expect(await ratings.anyRatedBy(author)).toBeUndefined();
    expect((await attempts.latest(mine, 9)).map(({ username }) => username)).toEqual([null]);
    expect((await floodWindows.decisionsOf(mine, 9)).map(({ username }) => username)).toEqual([null]);
  });

  test("makes moderators, and finds any other decider who is not disabled", async () => {
    const { users } = await open();
    const ada = await users.insert(userNamed("Ada", { isAdministrator: true }));
    const bob = await users.insert(userNamed("Bob"));
    expect((await users.byId(bob))?.isModerator).toBe(false);
    expect(await users.hasOtherDecider(ada)).toBe(false);
    await users.setModerator(bob, true);
    expect((await users.byId(bob))?.isModerator).toBe(true);
    expect([await users.hasOtherDecider(ada), await users.hasOtherDecider(bob)]).toEqual([true, true]);
    await users.setDisabledAt(bob, morning);
    expect(await users.hasOtherDecider(ada)).toBe(false);
    await users.setModerator(bob, false);
    expect((await users.byId(bob))?.isModerator).toBe(false);
  });

  test("records the makers of account changes, and when people began and ceased to decide on floods", async () => {
    const database = await open();
    const { users, accountChanges, transaction } = database;
    const [ada, bob] = [await addUser(database, "Ada"), await addUser(database, "Bob")];
    expect(await accountChanges.lastDeciderLost(ada)).toBeUndefined();
    expect(await accountChanges.lastMadeDecider(bob, ada)).toBeUndefined();
    const change = { actor: "administrator", byUserId: ada, why: null } as const;
    const bobs = (deciders: number) => ({ userId: bob, deciders });
    await accountChanges.record({ ...change, kind: "make-moderator", at: morning }, [bobs(1)]);
    await accountChanges.record({ ...change, kind: "remove-moderator", at: morning + 1 }, [bobs(-1)]);
    await accountChanges.record({ ...change, kind: "reject", at: morning + 2 }, [], { names: ["x", "y"] });
    const both = await accountChanges.insert({ ...change, kind: "disable", at: morning + 3 });
    await accountChanges.addUsers(both, [{ userId: ada, deciders: -1 }, bobs(-1)]);
    // A user's own right is lost to others only.
    await accountChanges.record({ ...change, kind: "remove-moderator", at: morning + 4 }, [
      { userId: ada, deciders: -1 },
    ]);
    expect(await accountChanges.lastMadeDecider(bob, ada)).toBe(morning);
    expect(await accountChanges.lastMadeDecider(ada, bob)).toBeUndefined();
    expect(await accountChanges.lastDeciderLost(ada)).toBe(morning + 3);
    expect(await accountChanges.lastDeciderLost(bob)).toBe(morning + 4);
    expect(await accountChanges.latest(9)).toMatchObject([
      { kind: "remove-moderator", accounts: 1 },
      { kind: "disable", actor: "administrator", accounts: 2, accountsLeft: 2 },
      { kind: "reject", accounts: 2, removedNames: ["x", "y"], by: "Ada" },
      { kind: "remove-moderator", accounts: 1, removedNames: [] },
      { kind: "make-moderator", accounts: 1 },
    ]);
    const [newest, second] = await accountChanges.latest(2);
    expect((await accountChanges.latest(1, newest?.id)).map(({ id }) => id)).toEqual([second?.id]);
    await transaction(() => users.remove(bob));
    expect(await accountChanges.lastDeciderLost(ada)).toBe(morning + 3);
    expect((await accountChanges.latest(9))[1]).toMatchObject({ accounts: 2, accountsLeft: 1 });
  });
}
