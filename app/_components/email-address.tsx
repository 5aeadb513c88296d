/** An email address in a sentence of either direction. */
export function EmailAddress({ email }: { email: string }) {
  return (
    <bdi className="font-medium wrap-anywhere" dir="ltr">
      {email}
    </bdi>
  );
}
