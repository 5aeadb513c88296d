/** The benchmark starts in the repository's folder, which has the packages. */
export default { turbopack: { root: process.cwd() } };
