/** The editor of a post's text: its toolbar, preview and counts. */
export const editor = {
  toolbar: "Formatting",
  tool: {
    heading: "Heading",
    bold: "Bold",
    italic: "Italic",
    link: "Link",
    quote: "Quotation",
    list: "List",
    numbered: "Numbered list",
    code: "Code",
    image: "Image",
  },
  shortcut: "{name} (Ctrl or ⌘ + {key})",
  /** Stands in a new link until the writer replaces it. */
  linkText: "text of the link",
  images: {
    title: "Images to insert",
    alt: "What does it show? Leave this empty for a mere decoration.",
    insert: "Insert into the text",
    preparing: "Preparing the image…",
    remove: "Remove",
    cancel: "Cancel",
    leaveOut: "The images that you chose are not in the text yet. Go on without them?",
    own: "Your images",
    tooMany:
      "You can insert {maximum, number} images at a time: the others were left out. Choose them afterwards.",
  },
  view: "View",
  write: "Write",
  preview: "Preview",
  previewing: "Making the preview…",
  nothing: "Nothing to preview yet.",
  delayed: "The preview follows in a moment.",
  tooLong: "The text is too long for a preview.",
  notFormatted:
    "This text cannot be formatted: it is too intricate, or has characters that cannot be shown. Make its paragraphs, lists and tables shorter, and put fewer of them inside each other.",
  refused: "You can no longer write here, so there is no preview.",
  unreachable: "The preview is not up to date, because the server can’t be reached.",
  count: "Words: {words}. Characters left: {left}.",
  fewLeft: "Fewer than {left} characters are left.",
  /** Above the form that was sent without JavaScript. */
  notSaved: "This is how your post will look. Nothing is saved yet: go on in the form below.",
} as const;
