/** The notice for a person whose account waits, in place of a form. */
export function WaitingForApproval() {
  return (
    <p role="status" className="max-w-prose">
      Your account is waiting for an administrator of this site to approve it. Until then you can read
      everything, but you cannot rate or write. There is nothing else for you to do.
    </p>
  );
}
