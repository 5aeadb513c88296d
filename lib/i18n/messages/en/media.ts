/** The page of a writer's images. */
export const media = {
  title: "Your images",
  intro:
    "Images for your posts. Anyone who has an image’s address can see it, also before the post is published.",
  room: "Your images take up {used} of {maximum}.",
  upload: {
    title: "Upload an image",
    file: "Image file",
    fileHelp:
      "JPEG, PNG, WebP, AVIF or GIF, at most {maximum, number} MB. Place, date and camera are removed from photos.",
    alt: "Description",
    altHelp:
      "What the image shows, in a sentence: for readers who do not see it. Leave it empty if the image is only a decoration.",
    submit: "Upload",
    submitting: "Uploading…",
  },
  notAWriter: "You can upload images once you may write here.",
  cover: {
    legend: "Cover image",
    none: "No cover image",
    help: "Shown above the text, in lists and in shared links. These are your latest images.",
    address: "Another image’s address",
    addressHelp:
      "For an older image, or one that you have just put into the text: its line “{field}” under <link>your images</link>. It replaces the choice above.",
    unknown: "You have no image with this address. Copy the line of one of your images.",
    unnamed: "Image without a description",
  },
  none: "You have no images yet.",
  markdown: "For your post",
  copy: "Copy",
  copied: "Copied",
  facts: "{width, number} × {height, number} pixels · {size}",
  moving: "moving",
  usedIn: "Used in",
  unused: "No post uses it. If an earlier version of one does, removing the image leaves a gap there.",
  change: "Change the description",
  save: "Save",
  saving: "Saving…",
  remove: "Remove",
  which: "the image “{alt}”",
  whichDay: "the image of <day></day>",
  newer: "Newest images",
  older: "Older images",
  done: {
    uploaded: "Your image is saved. Copy its line into a post.",
    described: "Saved. Posts that use the image already keep the description in their text.",
    removed: "The image is removed.",
    "image-used": "The image was not removed: a post uses it. Take it out of the post first.",
  },
  /** For a file that the server does not receive because of its size. */
  tooLarge: {
    title: "This file is too large",
    reason: "Nothing was saved. An image may have at most {megabytes}.",
    help: "Go back and choose a smaller file, or make this one smaller first.",
  },
} as const;
