// Nothing calls `unauthorized()`; the framework's own page for it would travel with every page.
export default function Unauthorized() {
  return null;
}
