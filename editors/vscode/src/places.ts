/** Places and nodes as the server sends them. Knows nothing of the editor. */

export interface LensPosition {
  readonly line: number;
  readonly character: number;
}

export interface LensLocation {
  readonly uri: string;
  readonly range: { readonly start: LensPosition; readonly end: LensPosition };
}

export interface ServerNode {
  readonly name: string;
  readonly source: string;
}

/** The nodes that have facts, and the sample systems whose facts any node can have. */
export interface KnownNodes {
  readonly nodes: readonly string[];
  readonly systems: readonly string[];
}

/** Returns the nodes and the sample systems of an answer of the server. */
export function knownNodes(found: readonly ServerNode[]): KnownNodes {
  const isSystem = (one: ServerNode) => one.source === 'sample system';
  return {
    nodes: found.filter((one) => !isSystem(one)).map((one) => one.name),
    systems: found.filter(isSystem).map((one) => one.name),
  };
}

/** Returns whether a place has an address and a range. */
export function isPlace(one: LensLocation): boolean {
  return typeof one.uri === 'string' && one.range !== undefined;
}
