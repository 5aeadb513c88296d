export default function Forbidden() {
  return (
    <div className="py-8">
      <h1 className="page-title">This is not yours.</h1>
      <p className="mt-4 text-quiet">
        You may not see or do that. <a href="/">To all posts</a>
      </p>
    </div>
  );
}
