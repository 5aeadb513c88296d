/** The maximum length of a search, in UTF-16 units. */
export const searchMaximum = 200;

/** The query of an address, as pages get it. */
export type QueryParameters = Record<string, string | string[] | undefined>;

/** A parameter of an address; of several with its name, the first. */
export function parameterFrom(parameters: QueryParameters, name: string): string | undefined {
  return [parameters[name]].flat()[0];
}

/** The search in an address, cut at the maximum; undefined when there is none. */
export function searchFrom(parameters: QueryParameters, name: string): string | undefined {
  return parameterFrom(parameters, name)?.toWellFormed().trim().slice(0, searchMaximum) || undefined;
}
