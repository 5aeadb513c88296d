/**
 * The reason of a refusal, and advice.
 * The JSON API sends the same as `detail`.
 */
export const refusal = {
  /** One sentence for each limit: the limited event, and the refused action. */
  limit: {
    rating: {
      post: "Too many requests: this post is getting very many ratings just now, so your rating was not saved.",
      user: "Too many requests: you are rating very fast, so your rating was not saved.",
      address:
        "Too many requests: very many ratings are coming from your network, so your rating was not saved.",
      change: "Too many requests: you are changing your ratings very often, so your rating was not saved.",
    },
    post: {
      user: "Too many requests: you have published many posts in a short time, so your post was not published.",
      render: "Too many requests: you have saved many texts in a short time, so your text was not saved.",
      preview: "Too many requests: you have previewed your text very often, so it was not previewed.",
    },
    media: {
      user: "Too many requests: you have uploaded many images in a short time, so your image was not saved.",
    },
    review: {
      user: "Too many requests: you have requested many reviews in a short time, so your request was not sent.",
    },
    register: {
      address:
        "Too many requests: many accounts have just been created from your network, so no account was created.",
      network:
        "Too many requests: many accounts have just been created from internet addresses close to yours, so no account was created.",
      "wide-network":
        "Too many requests: many accounts have just been created from internet addresses close to yours, so no account was created.",
      site: "Too many requests: many accounts have just been created on this site, so no account was created.",
      "known-networks":
        "Too many requests: many accounts have just been created from networks like yours, where others registered before, so no account was created.",
    },
    login: {
      address:
        "Too many requests: many passwords have been tried from your network, so the password was not checked.",
      account:
        "Too many requests: many passwords have been tried for this account from your network, so the password was not checked.",
      delay:
        "Too many requests: many passwords have been tried for this account, so the password was not checked.",
      "known-browser":
        "Too many requests: you have tried many passwords in a short time, so the password was not checked.",
      "second-factor":
        "Too many requests: many one-time codes have been tried for this account from your network, so the code was not checked.",
    },
    reset: {
      address:
        "Too many requests: many new passwords have been requested from your network, so no email was sent.",
      account:
        "Too many requests: several new passwords have been requested for this address, so no further email was sent. If an account has this address, look for the earlier emails in its mailbox and its spam folder.",
    },
    email: {
      user: "Too many requests: you have requested several new email addresses, so no email was sent.",
    },
    subscribe: {
      address:
        "Too many requests: many subscriptions have been requested from your network, so no email was sent.",
      network:
        "Too many requests: many subscriptions have been requested from internet addresses close to yours, so no email was sent.",
      site: "Too many requests: many subscriptions have just been requested on this site, so no email was sent.",
    },
    password: {
      user: "Too many requests: you have tried many passwords in a short time, so the password was not checked.",
    },
    search: {
      address: "Too many requests: there are many searches from your network, so nothing was searched.",
      "wide-network":
        "Too many requests: there are many searches from internet addresses close to yours, so nothing was searched.",
    },
    lab: {
      address: "Too many requests: the lab is used very often from your network, so nothing was compared.",
      "wide-network":
        "Too many requests: the lab is used very often from internet addresses close to yours, so nothing was compared.",
    },
    image: {
      address: "Too many requests: many preview images are requested from your network, so none was made.",
      "wide-network":
        "Too many requests: many preview images are requested from internet addresses close to yours, so none was made.",
    },
    export: {
      user: "Too many requests: you have downloaded your data several times, so nothing was sent.",
    },
    api: {
      token: "Too many requests: very many requests are coming with this token, so nothing was done.",
    },
  },
  badTokens: "Too many requests: tokens that are not valid are arriving from your network.",
  retry: "Try again in {wait}.",
  neverFits: "This site does not allow this at all, so waiting does not help. Ask its administrator.",
  unavailable: "The site cannot accept this just now, so nothing was saved. Try again in a few seconds.",
  pending:
    "Nothing was saved: your account is waiting for an administrator’s approval. You can take part as soon as an administrator of this site has approved your account.",
  unconfirmed:
    "Confirm your email address first: open the link in the email that was sent to you. Your rating was not saved. The account page sends the link again.",
  denied:
    "This site has blocked your account or your network, and waiting does not help. If you think that is a mistake, contact the people who run it.",
  diskFull:
    "This site has no room for more images at the moment, so your image was not saved. An administrator has to make room first.",
  /** For a server that has too much to do. */
  busy: {
    texts: "The server is formatting many texts just now, so nothing was saved. Try again in a few seconds.",
    passwords:
      "Very many people are logging in or registering just now, so your password could not be checked, and nothing was saved. Try again in a few seconds.",
    images:
      "The server is preparing many images just now, so your image was not saved. Try again in a few seconds.",
    names:
      "This site has just been updated and is not quite ready, so nothing was saved. Try again in a minute.",
  },
} as const;
