/** The pages that write and edit a post. */
export const writing = {
  newPageTitle: "Write",
  newTitle: "Write a post",
  editPageTitle: "Edit",
  editTitle: "Edit the post",
  publish: "Publish",
  publishing: "Publishing…",
  save: "Save",
  saving: "Saving…",
  /** In place of the form, for a person who may not write. */
  reader: {
    invited:
      "Writing here is by invitation. You can read and rate everything. To write, ask an administrator of this site for an invitation.",
    approved:
      "An administrator of this site decides who writes here. You can read and rate everything, and ask to write too.",
    lost: "You may not write here any more, so this was not published. Your text is still here: copy it before you leave this page.",
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
    titleTooLong: "Your title has {length} characters, and {maximum, number} are possible: shorten it.",
    contentTooLong:
      "Your text has {length} characters, and {maximum, number} are possible: shorten it, or make two posts of it. Nothing is cut off.",
    kept: "Your text is still here.",
    restored: "This is your unsaved text from {moment}.",
    found: "You have unsaved text from {moment}. It differs from the text on this page.",
    show: "Show the unsaved text",
    discard: "Discard the unsaved text",
    notStored: "This browser cannot keep a copy of your text. Save or publish it before you close the page.",
  },
  forbidden:
    "You may no longer change this post. Your text is still here: copy it before you leave this page.",
  deleted: "This post was deleted meanwhile. Your text is still here: copy it before you leave this page.",
  /** For a form that the server does not receive because of its size. */
  tooLarge: {
    title: "This is too long to send",
    reason:
      "Nothing was saved. At most {megabytes} can be sent at once, and a post has room for {maximum, number} characters.",
    help: "Go back: your browser should still have your text in the form. Copy it to a safe place first, then shorten it, or make several posts of it.",
  },
} as const;
