export default function NotFound() {
  return (
    <div className="py-8">
      <h1 className="page-title">There is no such page.</h1>
      <p className="mt-4 text-quiet">
        It may have been deleted, or the address is mistyped. <a href="/">To all posts</a>
      </p>
    </div>
  );
}
