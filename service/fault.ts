/** What is wrong in the configuration file, and where. */
export class ConfigurationFault extends Error {
  override name = "ConfigurationFault";
  /** Where in the file, as keys and indices from the outside in: `["rules", 0, "when", "address"]`. */
  readonly path: readonly (string | number)[];

  constructor(message: string, path: readonly (string | number)[]) {
    super(message);
    this.path = path;
  }
}
