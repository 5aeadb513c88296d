"use client";

import { removeAllDrafts } from "./drafts";
import { Form } from "./form";
import { logOut } from "./log-out";

/** The log-out button, which removes this browser's drafts. */
export function LogOutForm() {
  return (
    <Form action={logOut} onDone={removeAllDrafts}>
      <button type="submit" className="link-button">
        Log out
      </button>
    </Form>
  );
}
