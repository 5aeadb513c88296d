/** The pages that write and edit a post. */
export const writing = {
  newPageTitle: "Write",
  newTitle: "Write a post",
  editPageTitle: "Edit",
  editTitle: "Edit the post",
  publish: "Publish",
  publishing: "Publishing…",
  saveDraft: "Save as draft",
  saveScheduled: "Save and keep the date",
  publishNow: "Publish now",
  /** Above the buttons of a scheduled draft. */
  scheduleHelp:
    "This post will be published on <time></time>. “Save and keep the date” saves your changes and publishes it then; another date is under “Publishing options”. “Save as draft” takes the date away.",
  save: "Save",
  saving: "Saving…",
  /** In place of the form, for a person who may not write. */
  reader: {
    invited:
      "Writing here is by invitation. You can read and rate everything. To write, ask an administrator of this site for an invitation.",
    approved:
      "An administrator of this site decides who writes here. You can read and rate everything, and ask to write too.",
    lost: "You can no longer write here, so this was not published. Your text is still here: copy it before you leave this page.",
    request: "Ask to write",
    requesting: "Sending…",
    requested:
      "You asked to write on <time></time>. You can write here as soon as an administrator has accepted. If this page offers “Ask to write” again, your request was declined.",
  },
  form: {
    title: "Title",
    content: "Content",
    contentHelp:
      "In Markdown: <code>## heading</code>, <code>*emphasis*</code>, <code>**strong**</code>, <code>[link](https://…)</code>, <code>- list</code>, <code>> quotation</code>, tables. At most {maximum, number} characters.",
    titleTooLong: "Your title has {length} characters. The limit is {maximum, number}: shorten it.",
    contentTooLong:
      "Your text has {length} characters. The limit is {maximum, number}: shorten it, or split it into two posts. Nothing is cut off.",
    kept: "Your text is still here.",
    restored: "This is your unsaved text from {moment}.",
    found: "You have unsaved text from {moment}. It differs from the text on this page.",
    show: "Show the unsaved text",
    discard: "Discard the unsaved text",
    notStored: "This browser cannot keep a copy of your text. Save or publish it before you close the page.",
  },
  options: {
    title: "Publishing options",
    tags: "Tags",
    comma: ", ",
    tagsHelp:
      "At most {maximum, number}, with commas between them: water, travel. Leave this empty for none.",
    excerpt: "Excerpt",
    excerptHelp:
      "What lists and the feed show of your post, at most {maximum, number} characters. Leave this empty to show the beginning of your text.",
    visibility: "Who finds your post",
    listed: "All readers: on the home page, in search and in the feed",
    unlisted: "Only readers who have its link",
    date: "Date",
    dateHelp:
      "Leave this empty to publish now. With a date in the future, “Publish” saves your post and it is published then; a date in the past becomes the date of your post. A draft keeps no date. The time is in UTC; in UTC it is now <now></now>.",
    scheduledDateHelp:
      "When your post is published. With an empty date it stays a draft. The time is in UTC; in UTC it is now <now></now>.",
    publishedDateHelp: "The date that readers see. The time is in UTC; in UTC it is now <now></now>.",
    slug: "Address",
    slugHelp:
      "The last part of your post’s address, such as my-first-post. Leave this empty to make it from the title.",
    publishedSlugHelp: "The last part of your post’s address. Links to the old one will lead to the new one.",
  },
  revisions: {
    title: "Earlier versions",
    intro:
      "Each saved change of the title or the text keeps the version before it, at most {maximum, number} of them. Only the author and administrators see them.",
    none: "There is no earlier version: the title and the text have not changed since the post was published.",
    saved: "Saved on <time></time>",
    compare: "Compare with the present text",
    chosen: "What has changed since <time></time>",
    legend: "<del>What was there then</del> and <ins>what is there now</ins>.",
    removed: "Only then:",
    added: "Only now:",
    omitted: "… unchanged …",
    same: "This version is the same as the present text.",
    tooDifferent:
      "The two texts have too little in common to be compared word by word, so both are shown whole.",
    busy: "Too many versions are being compared at the moment, so both texts are shown whole. Load the page again in a few seconds.",
    restore: "Restore this version",
    restoring: "Restoring…",
    missingImages:
      "{count, plural, one {An image of this version was} other {# images of this version were}} removed: the restored text has gaps there.",
    restoreHelp:
      "The title and the text become those of this version again. The present ones are kept as an earlier version.",
    gone: "This version is no longer kept. Choose another.",
    back: "All earlier versions",
  },
  own: {
    title: "Your posts",
    drafts: "Drafts",
    published: "Published",
    noDrafts: "You have no drafts. “Save as draft” keeps a post here until you publish it.",
    moreDrafts: "More drafts",
    noPosts: "You have not published a post yet. <link>Write a post</link>",
    changed: "Draft, changed on <day></day>",
    scheduled: "Will be published on <time></time>",
    missed: "Was not published on <time></time>, because you could not write here then",
    edit: "Edit",
    editPost: "Edit {title}",
    link: "Your drafts and posts",
  },
  tooManyDrafts:
    "You have {maximum, number} drafts, and there is room for no more. Publish or delete one of them, then save this again. Your text is still here.",
  alreadyPublished:
    "This post was published meanwhile, so it cannot be saved as a draft any more. Your text is still here: choose “Publish” or “Save”, whichever this page has, to change the published post.",
  createdBefore: {
    text: "This post was saved when you first sent it, and what you changed since is not in it. Your text is still here. Open the saved post to make the changes there, or send this form once more to save the text as another post.",
    open: "Open the saved post in a new tab",
  },
  outdated: {
    text: "This post was changed while this page was open, for example in another tab, so your text was not saved. It is still here. Look at the saved version first: if you save again, your text replaces it.",
    open: "Open the saved version in a new tab",
  },
  forbidden:
    "You may no longer change this post. Your text is still here: copy it before you leave this page.",
  deleted: "This post was deleted meanwhile. Your text is still here: copy it before you leave this page.",
  /** For a form that the server does not receive because of its size. */
  tooLarge: {
    title: "This is too long to send",
    reason:
      "Nothing was saved. You sent {sent}: at most {megabytes} can be sent at once, and a post has room for {maximum, number} characters.",
    moreThan: "more than {megabytes}",
    length:
      "Nothing was saved. Your text has {length, number} characters, and a post has room for {maximum, number}.",
    kept: "Here it is: copy it to a safe place first, then go back and shorten it, or make several posts of it.",
    help: "Go back: your browser should still have your text in the form. Copy it to a safe place first, then shorten it, or make several posts of it.",
  },
} as const;
