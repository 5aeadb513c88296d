/** A typeface's file: its address on this site. */
declare module "*.woff2" {
  const address: string;
  export default address;
}
