"use client";

import { Form } from "./form";
import { removeAllCopies } from "./kept-text";
import { logOut } from "./log-out";

/** The log-out button, which removes this browser's copies of unsaved texts. */
export function LogOutForm() {
  return (
    <Form action={logOut} onDone={removeAllCopies}>
      <button type="submit" className="link-button">
        Log out
      </button>
    </Form>
  );
}
