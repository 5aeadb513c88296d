/** Import and export by administrators. */
export const archive = {
  title: "Import and export",
  intro: "Take the whole site with you, or bring posts from another blog.",
  export: {
    title: "Export",
    intro:
      "An archive with all posts and drafts as Markdown, their earlier versions, images, settings, users and scores. It has no passwords and no single ratings. Keep it safe: drafts are in it.",
    emails: "With email addresses of users and subscribers",
    button: "Download the site",
    backup: "To restore this site as it is, make a backup with <code>npm run backup</code>.",
  },
  import: {
    title: "Import",
    intro:
      "Posts from Markdown files with front matter, from Ghost’s JSON export or from WordPress’ XML export, also in a ZIP archive with their images. Images come from the archive only. Readers get no email about posts that are published already; scheduled ones are announced when they appear.",
    file: "File",
    fileHelp:
      "At most {megabytes, number} MB. It is removed after a day. For larger ones there is <code>npm run import</code>.",
    upload: "Upload",
    uploading: "Uploading…",
    afterwards: "Nothing is saved before you have seen a report.",
  },
  problem: {
    "too-large": "The file is too large. Use the command npm run import on the server.",
    empty: "Choose a file first.",
    "disk-full": "The server’s disk is full.",
    incomplete: "The upload was interrupted. Upload the file again.",
    running: "Another import is running. Wait until it is done.",
    gone: "This archive is no longer there: archives are removed after a day.",
  },
  run: {
    title: "Import an archive",
    format: "The archive is from",
    formats: { markdown: "Markdown files, or this software", ghost: "Ghost", wordpress: "WordPress" },
    check: "Check the archive",
    checkAgain: "Check again",
    import: "Import the posts",
    starting: "Starting…",
    running: "The archive is being read. This page reloads by itself until it is done.",
    importing: "The posts are being imported. This page reloads by itself until it is done.",
    reload: "Reload",
    broken:
      "The import was interrupted. Start it again: posts that are there already are skipped. If it stops at the same place again, the archive needs more memory than an import has on this page: import it with npm run import.",
    failed: "The archive could not be read.",
    checked: "This would happen; nothing has been saved yet.",
    done: "The import is done.",
    counts: {
      "would-import": "{count, plural, one {# post} other {# posts}} can be imported",
      imported: "{count, plural, one {# post} other {# posts}} imported",
      skipped: "{count, number} left out",
      failed: "{count, plural, one {# problem} other {# problems}}",
    },
    authors: "Authors",
    authorsHelp:
      "Choose the account that gets each author’s posts. An account of the same name is suggested: make sure that it is the same person’s. Write a username; accounts are made on their own pages. Posts of an author without an account are not imported.",
    author: "{name} ({posts, plural, one {# post} other {# posts}})",
    noAuthor: "No author named ({posts, plural, one {# post} other {# posts}})",
    report: "What to look at",
    nothing: "Nothing needs your attention.",
    more: "{count, plural, one {# more line is} other {# more lines are}} not shown.",
    results: {
      "would-import": "can be imported",
      imported: "imported",
      skipped: "left out",
      failed: "not possible",
    },
  },
} as const;
