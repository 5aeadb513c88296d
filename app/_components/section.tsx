/** A section of a page with a heading and a line above. */
export function Section({ title, id, children }: { title: string; id?: string; children: React.ReactNode }) {
  return (
    <section id={id} className="mt-10 border-t border-hairline pt-6">
      <h2 className="section-title mb-4">{title}</h2>
      {children}
    </section>
  );
}
