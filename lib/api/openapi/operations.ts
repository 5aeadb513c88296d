// Over 200 lines: a list, of all calls.

/**
 * Every call of the API: its input, its answers and its permissions.
 * The API's description is made from this.
 */
import { z } from "zod";
import { accountsChangeSchema, disablingSchema } from "../../account-changes/index.ts";
import type { ApiScope } from "../../api-tokens/scopes.ts";
import { problemAnswer } from "../../http/problem.ts";
import { postChangeSchema, postSchema } from "../../posts/schema.ts";
import { ratingSchema } from "../../ratings/schema.ts";
import { logInSchema, registrationSchema } from "../../users/schema.ts";
import {
  accountAnswer,
  accountChangeAnswer,
  accountsChangeAnswer,
  changeListAnswer,
  changeListSchema,
  issuedChallengeAnswer,
  newAccountAnswer,
} from "../accounts.ts";
import {
  deletedPostAnswer,
  listedPostAnswer,
  postAnswer,
  postListAnswer,
  postListSchema,
  scoreAnswer,
} from "../posts.ts";
import { ratingAnswer, savedRatingAnswer } from "../ratings.ts";

/** The schema of the request's body, by its name in the description. */
export const inputs = {
  Registration: registrationSchema,
  LogIn: logInSchema,
  Disabling: disablingSchema,
  DisablingOfMany: accountsChangeSchema,
  NewPost: postSchema,
  PostChange: postChangeSchema,
  NewRating: ratingSchema,
};

/** The schema of the answer's body, by its name in the description. */
export const answers = {
  Account: accountAnswer,
  AccountChange: accountChangeAnswer,
  AccountsChange: accountsChangeAnswer,
  ChangeList: changeListAnswer,
  NewAccount: newAccountAnswer,
  IssuedChallenge: issuedChallengeAnswer,
  Post: postAnswer,
  ListedPost: listedPostAnswer,
  PostList: postListAnswer,
  DeletedPost: deletedPostAnswer,
  Score: scoreAnswer,
  Rating: ratingAnswer,
  SavedRating: savedRatingAnswer,
  Problem: problemAnswer,
  Description: z.looseObject({ openapi: z.string() }).describe("An OpenAPI 3.1 document."),
};

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

export interface Operation {
  id: string;
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  summary: string;
  /**
   * The kind of caller that may make the call.
   * `administrator`: a session of one, no token. `person`: no token makes this call. `anyone`: no login is needed; a
   * token, if sent, needs the scope. `user`: takes a session, or a token with the scope.
   */
  who: "administrator" | "person" | "anyone" | "user";
  scope?: ApiScope;
  query?: z.ZodObject;
  input?: keyof typeof inputs;
  success: { status: 200 | 201 | 204; description: string; answer?: keyof typeof answers; location?: true };
  /** Further answers, besides those of its kind. */
  errors?: ErrorStatus[];
}

const post = "/api/posts/{slug}";
const rating = `${post}/rating`;

export const operations: readonly Operation[] = [
  {
    id: "register",
    method: "post",
    path: "/api/users",
    summary: "Make an account, and log in; with a solved challenge, unless none is issued",
    who: "person",
    input: "Registration",
    success: { status: 201, description: "Registered; the session's cookie is set.", answer: "NewAccount" },
    errors: [409],
  },
  {
    id: "issueChallenge",
    method: "get",
    path: "/api/challenge",
    summary: "A challenge to solve before registering",
    who: "person",
    success: {
      status: 200,
      description: "The challenge, good for one account within an hour.",
      answer: "IssuedChallenge",
    },
  },
  {
    id: "setUserDisabled",
    method: "put",
    path: "/api/users/{username}/disabled",
    summary: "Disable another user, whose ratings leave the scores, or enable them, whose ratings return",
    who: "administrator",
    input: "Disabling",
    success: { status: 200, description: "Changed.", answer: "AccountChange" },
    errors: [404],
  },
  {
    id: "listAccountChanges",
    method: "get",
    path: "/api/account-changes",
    summary: "Changes of accounts and invitations on record, and the progress of recalculated scores",
    who: "administrator",
    query: changeListSchema,
    success: { status: 200, description: "The changes, and where to go on.", answer: "ChangeList" },
    errors: [422],
  },
  {
    id: "changeAccounts",
    method: "post",
    path: "/api/account-changes",
    summary:
      "Disable or enable many users, named or registered in a span of time; with dryRun, only count what would change",
    who: "administrator",
    input: "DisablingOfMany",
    success: { status: 200, description: "Changed; with dryRun only counted.", answer: "AccountsChange" },
  },
  {
    id: "logIn",
    method: "post",
    path: "/api/session",
    summary: "Log in",
    who: "person",
    input: "LogIn",
    success: { status: 200, description: "Logged in; the session's cookie is set.", answer: "Account" },
  },
  {
    id: "logOut",
    method: "delete",
    path: "/api/session",
    summary: "Log out",
    who: "person",
    success: { status: 204, description: "Logged out, also when no user was logged in." },
  },
  {
    id: "listPosts",
    method: "get",
    path: "/api/posts",
    summary: "One page of posts",
    who: "anyone",
    scope: "read",
    query: postListSchema,
    success: { status: 200, description: "The posts, and where to go on.", answer: "PostList" },
    errors: [422],
  },
  {
    id: "createPost",
    method: "post",
    path: "/api/posts",
    summary: "Publish a post",
    who: "user",
    scope: "write",
    input: "NewPost",
    success: { status: 201, description: "Published.", answer: "Post", location: true },
  },
  {
    id: "readPost",
    method: "get",
    path: post,
    summary: "A post",
    who: "anyone",
    scope: "read",
    success: { status: 200, description: "The post.", answer: "Post" },
  },
  {
    id: "changePost",
    method: "patch",
    path: post,
    summary: "Change your own post's title, content, language or several of them",
    who: "user",
    scope: "write",
    input: "PostChange",
    success: { status: 200, description: "Changed.", answer: "Post" },
  },
  {
    id: "deletePost",
    method: "delete",
    path: post,
    summary: "Delete a post with its ratings",
    who: "user",
    scope: "write",
    success: { status: 200, description: "Deleted.", answer: "DeletedPost" },
  },
  {
    id: "readScore",
    method: "get",
    path: `${post}/score`,
    summary: "The score of a post from all its ratings",
    who: "anyone",
    scope: "read",
    success: { status: 200, description: "The score.", answer: "Score" },
  },
  {
    id: "readRating",
    method: "get",
    path: rating,
    summary: "Your rating of a post",
    who: "user",
    scope: "read",
    success: { status: 200, description: "Your rating.", answer: "Rating" },
  },
  {
    id: "createRating",
    method: "post",
    path: rating,
    summary: "Rate a post that you have not rated",
    who: "user",
    scope: "rate",
    input: "NewRating",
    success: { status: 201, description: "Rated.", answer: "SavedRating" },
    errors: [409],
  },
  {
    id: "updateRating",
    method: "put",
    path: rating,
    summary: "Change your rating of a post",
    who: "user",
    scope: "rate",
    input: "NewRating",
    success: { status: 200, description: "Changed.", answer: "SavedRating" },
  },
  {
    id: "withdrawRating",
    method: "delete",
    path: rating,
    summary: "Withdraw your rating of a post",
    who: "user",
    scope: "rate",
    success: { status: 204, description: "Withdrawn." },
  },
  {
    id: "describe",
    method: "get",
    path: "/api/openapi.json",
    summary: "This description",
    who: "anyone",
    success: { status: 200, description: "The description.", answer: "Description" },
  },
];

/** Every error that a call may answer with. */
export function errorsOf({ path, input, errors = [] }: Operation): ErrorStatus[] {
  const always: ErrorStatus[] = [401, 403, 429, 500, 503];
  const ofInput: ErrorStatus[] = input ? [400, 413, 415, 422] : [];
  const ofPost: ErrorStatus[] = path.includes("{slug}") ? [404] : [];
  return [...always, ...ofInput, ...ofPost, ...errors].toSorted((a, b) => a - b);
}
