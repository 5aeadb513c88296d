export default function Forbidden() {
  return (
    <div className="py-8">
      <h1 className="page-title">This is not yours.</h1>
      <p className="mt-4 text-quiet">
        Only its author may do that. <a href="/">To all posts</a>
      </p>
    </div>
  );
}
