"use client";

import { Form } from "./form";
import { removeAllCopies } from "./kept-text";
import { logOut } from "./log-out";

/** The button that logs out, and removes the copies of unsaved texts from this browser. */
export function LogOutForm() {
  return (
    <Form action={logOut} onDone={removeAllCopies}>
      <button type="submit" className="link-button">
        Log out
      </button>
    </Form>
  );
}
