// Over 200 lines: a list, of all calls.

/**
 * Every call of the API: its input, its answers and its permissions.
 * The API's description is made from this.
 */
import { z } from "zod";
import { accountsChangeSchema, disablingSchema } from "../../account-changes/index.ts";
import type { ApiScope } from "../../api-tokens/scopes.ts";
import { problemAnswer } from "../../http/problem.ts";
import { altSchema } from "../../media/schema.ts";
import { previewSchema } from "../../posts/preview.ts";
import { postChangeSchema, postSchema } from "../../posts/schema.ts";
import { ratingSchema } from "../../ratings/schema.ts";
import { invitationSchema } from "../../users/invitations.ts";
import { roleChangeSchema } from "../../users/people.ts";
import { logInSchema, registrationSchema } from "../../users/schema.ts";
import { webhookChangeSchema, webhookSchema } from "../../webhooks/manage.ts";
import {
  accountAnswer,
  accountChangeAnswer,
  accountsChangeAnswer,
  changeListAnswer,
  changeListSchema,
  issuedChallengeAnswer,
  newAccountAnswer,
  registrationSentAnswer,
} from "../accounts.ts";
import {
  answeredRequestAnswer,
  invitationListAnswer,
  invitationListSchema,
  newInvitationAnswer,
  newWebhookAnswer,
  roleAnswer,
  settingsAnswer,
  settingsChangeSchema,
  webhookChangeAnswer,
  webhookListAnswer,
  writingAnswerSchema,
  writingRequestsAnswer,
} from "../administration.ts";
import {
  exportAnswer,
  exportQuerySchema,
  importAnswer,
  importSchema,
  newArchiveSchema,
  newSiteImageSchema,
  savedArchiveAnswer,
  siteImageAnswer,
} from "../archives.ts";
import { imageAnswer, imageListAnswer, imageListSchema, newImageSchema } from "../media.ts";
import {
  bookmarkListAnswer,
  deletedPostAnswer,
  draftListAnswer,
  listedPostAnswer,
  ownListSchema,
  postAnswer,
  postListAnswer,
  postListSchema,
  previewAnswer,
  scoreAnswer,
} from "../posts.ts";
import { ratingAnswer, savedRatingAnswer } from "../ratings.ts";

/** The schema of the request's body, by its name in the description. */
export const inputs = {
  Registration: registrationSchema,
  LogIn: logInSchema,
  Disabling: disablingSchema,
  DisablingOfMany: accountsChangeSchema,
  RoleChange: roleChangeSchema,
  SettingsChange: settingsChangeSchema,
  NewInvitation: invitationSchema,
  NewWebhook: webhookSchema(true),
  WebhookChange: webhookChangeSchema(true),
  WritingAnswer: writingAnswerSchema,
  NewPost: postSchema,
  PostChange: postChangeSchema,
  TextToPreview: previewSchema,
  NewRating: ratingSchema,
  NewImage: newImageSchema,
  ImageDescription: altSchema,
  NewSiteImage: newSiteImageSchema,
  NewArchive: newArchiveSchema,
  NewImport: importSchema,
};

/** The schema of the answer's body, by its name in the description. */
export const answers = {
  Account: accountAnswer,
  AccountChange: accountChangeAnswer,
  AccountsChange: accountsChangeAnswer,
  ChangeList: changeListAnswer,
  Role: roleAnswer,
  Settings: settingsAnswer,
  InvitationList: invitationListAnswer,
  MadeInvitation: newInvitationAnswer,
  WebhookList: webhookListAnswer,
  MadeWebhook: newWebhookAnswer,
  ChangedWebhook: webhookChangeAnswer,
  WritingRequests: writingRequestsAnswer,
  AnsweredRequest: answeredRequestAnswer,
  NewAccount: newAccountAnswer,
  RegistrationSent: registrationSentAnswer,
  IssuedChallenge: issuedChallengeAnswer,
  Post: postAnswer,
  ListedPost: listedPostAnswer,
  PostList: postListAnswer,
  DraftList: draftListAnswer,
  BookmarkList: bookmarkListAnswer,
  DeletedPost: deletedPostAnswer,
  Preview: previewAnswer,
  Score: scoreAnswer,
  Rating: ratingAnswer,
  Image: imageAnswer,
  ImageList: imageListAnswer,
  SiteImage: siteImageAnswer,
  Export: exportAnswer,
  SavedArchive: savedArchiveAnswer,
  Import: importAnswer,
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
   * `administrator`: a session of one, or a token with the scope, where it has one. `person`: no token makes this call. `anyone`: no login is needed; a
   * token, if sent, needs the scope. `user`: takes a session, or a token with the scope.
   */
  who: "administrator" | "person" | "anyone" | "user";
  scope?: ApiScope;
  query?: z.ZodObject;
  input?: keyof typeof inputs;
  /** The type of the body; JSON unless set. */
  inputType?: "multipart/form-data" | "application/octet-stream";
  success: {
    status: 200 | 201 | 204;
    description: string;
    answer?: keyof typeof answers;
    /** JSON unless set. */
    answerType?: "application/zip";
    location?: true;
  };
  /** The 202 of a call that is completed later. */
  accepted?: { description: string; answer: keyof typeof answers };
  /** Answers 308 for a slug that the post had before. */
  followsSlugs?: true;
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
    accepted: {
      description:
        "With EMAIL_VERIFICATION=to-register: the link in an email to the address makes the account.",
      answer: "RegistrationSent",
    },
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
    id: "changeRole",
    method: "patch",
    path: "/api/users/{username}",
    summary: "Give another user another role",
    who: "administrator",
    scope: "admin",
    input: "RoleChange",
    success: { status: 200, description: "Changed.", answer: "Role" },
    errors: [404, 409],
  },
  {
    id: "readSettings",
    method: "get",
    path: "/api/settings",
    summary: "The site's settings",
    who: "administrator",
    scope: "admin",
    success: { status: 200, description: "The settings as they count now.", answer: "Settings" },
  },
  {
    id: "changeSettings",
    method: "patch",
    path: "/api/settings",
    summary: "Change some of the site's settings, all of them or none",
    who: "administrator",
    scope: "admin",
    input: "SettingsChange",
    success: { status: 200, description: "Changed; the settings as they count now.", answer: "Settings" },
  },
  {
    id: "listInvitations",
    method: "get",
    path: "/api/invitations",
    summary: "One page of the invitations",
    who: "administrator",
    scope: "admin",
    query: invitationListSchema,
    success: { status: 200, description: "The invitations.", answer: "InvitationList" },
    errors: [422],
  },
  {
    id: "makeInvitation",
    method: "post",
    path: "/api/invitations",
    summary: "Make an invitation to register, or to write",
    who: "administrator",
    scope: "admin",
    input: "NewInvitation",
    success: {
      status: 201,
      description: "Made; the answer has the only copy of its token.",
      answer: "MadeInvitation",
    },
  },
  {
    id: "withdrawInvitation",
    method: "delete",
    path: "/api/invitations/{id}",
    summary: "Take an unused invitation back",
    who: "administrator",
    scope: "admin",
    success: { status: 204, description: "Withdrawn." },
    errors: [404],
  },
  {
    id: "listWritingRequests",
    method: "get",
    path: "/api/writing-requests",
    summary: "The people who request to write",
    who: "administrator",
    scope: "admin",
    success: { status: 200, description: "The requests.", answer: "WritingRequests" },
  },
  {
    id: "answerWritingRequest",
    method: "post",
    path: "/api/writing-requests/{username}",
    summary: "Accept or decline a request to write",
    who: "administrator",
    scope: "admin",
    input: "WritingAnswer",
    success: { status: 200, description: "Answered.", answer: "AnsweredRequest" },
    errors: [404],
  },
  {
    id: "listWebhooks",
    method: "get",
    path: "/api/webhooks",
    summary: "The webhooks, without their secrets",
    who: "administrator",
    scope: "admin",
    success: { status: 200, description: "The webhooks.", answer: "WebhookList" },
  },
  {
    id: "addWebhook",
    method: "post",
    path: "/api/webhooks",
    summary: "Add a webhook",
    who: "administrator",
    scope: "admin",
    input: "NewWebhook",
    success: {
      status: 201,
      description: "Added; the answer has the only copy of its secret.",
      answer: "MadeWebhook",
    },
  },
  {
    id: "changeWebhook",
    method: "patch",
    path: "/api/webhooks/{id}",
    summary: "Change a webhook's address or events, or turn it on or off",
    who: "administrator",
    scope: "admin",
    input: "WebhookChange",
    success: { status: 200, description: "Changed.", answer: "ChangedWebhook" },
    errors: [404],
  },
  {
    id: "renewWebhookSecret",
    method: "post",
    path: "/api/webhooks/{id}/secret",
    summary: "Give a webhook a new secret; the old one signs too for a day",
    who: "administrator",
    scope: "admin",
    success: {
      status: 201,
      description: "Renewed; the answer has the only copy of the secret.",
      answer: "MadeWebhook",
    },
    errors: [404],
  },
  {
    id: "testWebhook",
    method: "post",
    path: "/api/webhooks/{id}/test",
    summary: "Send a test to a webhook",
    who: "administrator",
    scope: "admin",
    success: { status: 204, description: "Queued; the list has its result." },
    errors: [404, 409],
  },
  {
    id: "removeWebhook",
    method: "delete",
    path: "/api/webhooks/{id}",
    summary: "Remove a webhook with what waits for it",
    who: "administrator",
    scope: "admin",
    success: { status: 204, description: "Removed." },
    errors: [404],
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
    id: "listDrafts",
    method: "get",
    path: "/api/drafts",
    summary: "One page of your drafts, scheduled ones too, those changed last first",
    who: "user",
    scope: "read",
    query: ownListSchema,
    success: { status: 200, description: "The drafts, and where to go on.", answer: "DraftList" },
    errors: [422],
  },
  {
    id: "createPost",
    method: "post",
    path: "/api/posts",
    summary: "Publish a post, or save it as a draft",
    who: "user",
    scope: "write",
    input: "NewPost",
    success: { status: 201, description: "Saved.", answer: "Post", location: true },
  },
  {
    id: "readPost",
    followsSlugs: true,
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
    summary: "Change your own post, or publish a draft",
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
    id: "previewPost",
    method: "post",
    path: "/api/preview",
    summary: "A text as a post would show it; nothing is saved",
    who: "user",
    scope: "write",
    input: "TextToPreview",
    success: { status: 200, description: "The text as HTML.", answer: "Preview" },
  },
  {
    id: "readScore",
    followsSlugs: true,
    method: "get",
    path: `${post}/score`,
    summary: "The score of a post from all its ratings",
    who: "anyone",
    scope: "read",
    success: { status: 200, description: "The score.", answer: "Score" },
  },
  {
    id: "readRating",
    followsSlugs: true,
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
    id: "listBookmarks",
    method: "get",
    path: "/api/bookmarks",
    summary: "One page of the posts that you have saved for later, the latest first",
    who: "user",
    scope: "read",
    query: ownListSchema,
    success: { status: 200, description: "The posts, and where to go on.", answer: "BookmarkList" },
    errors: [422],
  },
  {
    id: "addBookmark",
    method: "put",
    path: `${post}/bookmark`,
    summary: "Save a post for later; only you see it",
    who: "user",
    scope: "rate",
    success: { status: 204, description: "Saved, also when it was before." },
    errors: [409],
  },
  {
    id: "removeBookmark",
    method: "delete",
    path: `${post}/bookmark`,
    summary: "Remove a post from those saved for later",
    who: "user",
    scope: "rate",
    success: { status: 204, description: "Removed, also when it was not saved." },
  },
  {
    id: "listImages",
    method: "get",
    path: "/api/media",
    summary: "One page of your images",
    who: "user",
    scope: "read",
    query: imageListSchema,
    success: { status: 200, description: "Your images, and where to go on.", answer: "ImageList" },
    errors: [422],
  },
  {
    id: "uploadImage",
    method: "post",
    path: "/api/media",
    summary: "Upload an image for your posts",
    who: "user",
    scope: "write",
    input: "NewImage",
    inputType: "multipart/form-data",
    success: { status: 201, description: "Saved.", answer: "Image" },
  },
  {
    id: "describeImage",
    method: "patch",
    path: "/api/media/{id}",
    summary: "Change the description of one of your images",
    who: "user",
    scope: "write",
    input: "ImageDescription",
    success: {
      status: 200,
      description: "Changed. Posts that use it already keep the description in their text.",
      answer: "Image",
    },
    errors: [404],
  },
  {
    id: "removeImage",
    method: "delete",
    path: "/api/media/{id}",
    summary: "Remove one of your images that no post uses",
    who: "user",
    scope: "write",
    success: { status: 204, description: "Removed, with its files." },
    errors: [404, 409],
  },
  {
    id: "setSiteImage",
    method: "put",
    path: "/api/settings/images/{name}",
    summary: "Upload the site's logo, its logo for the dark theme, or its icon",
    who: "administrator",
    scope: "admin",
    input: "NewSiteImage",
    inputType: "multipart/form-data",
    success: { status: 200, description: "Saved, in place of the one before.", answer: "SiteImage" },
    errors: [404],
  },
  {
    id: "removeSiteImage",
    method: "delete",
    path: "/api/settings/images/{name}",
    summary: "Remove the site's logo, its logo for the dark theme, or its icon",
    who: "administrator",
    scope: "admin",
    success: { status: 204, description: "Removed, also when there was none." },
    errors: [404],
  },
  {
    id: "exportSite",
    method: "get",
    path: "/api/export",
    summary: "The whole site as Markdown, JSON and images",
    who: "administrator",
    scope: "admin",
    query: exportQuerySchema,
    success: { status: 200, description: "The archive.", answer: "Export", answerType: "application/zip" },
    errors: [422],
  },
  {
    id: "uploadArchive",
    method: "post",
    path: "/api/imports",
    summary: "Upload posts from elsewhere, to import them",
    who: "administrator",
    scope: "admin",
    input: "NewArchive",
    inputType: "application/octet-stream",
    success: { status: 201, description: "Saved; nothing is imported yet.", answer: "SavedArchive" },
  },
  {
    id: "readImport",
    method: "get",
    path: "/api/imports/{archive}",
    summary: "The report of an import, while it runs and afterwards",
    who: "administrator",
    scope: "admin",
    success: { status: 200, description: "The latest report.", answer: "Import" },
    errors: [404],
  },
  {
    id: "startImport",
    method: "post",
    path: "/api/imports/{archive}",
    summary: "Import an uploaded archive, or report what an import would do",
    who: "administrator",
    scope: "admin",
    input: "NewImport",
    success: { status: 200, description: "Begun: read its report until it is done.", answer: "Import" },
    errors: [404, 409],
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
export function errorsOf({ path, input, inputType, errors = [] }: Operation): ErrorStatus[] {
  const always: ErrorStatus[] = [401, 403, 429, 500, 503];
  const ofValues: ErrorStatus[] = inputType === "application/octet-stream" ? [] : [422];
  const ofInput: ErrorStatus[] = input ? [400, 413, 415, ...ofValues] : [];
  const ofPost: ErrorStatus[] = path.includes("{slug}") ? [404] : [];
  return [...always, ...ofInput, ...ofPost, ...errors].toSorted((a, b) => a - b);
}
