/** A catalog as a tree of types, resources and parameters. Knows nothing of the editor. */

export interface Resource {
  readonly type: string;
  readonly title: string;
  readonly file?: string;
  readonly line?: number;
  readonly exported: boolean;
  readonly parameters: readonly (readonly [string, string])[];
}

export interface ResourceGroup {
  readonly type: string;
  readonly resources: readonly Resource[];
}

interface CatalogData {
  readonly resources?: readonly {
    readonly type: string;
    readonly title: string;
    readonly file?: string;
    readonly line?: number;
    readonly exported?: boolean;
    readonly parameters?: Record<string, unknown>;
    readonly sensitive_parameters?: readonly string[];
  }[];
}

const HIDDEN = '(sensitive)';

/** Returns the resources of a catalog by type, sorted by name. Values of sensitive parameters are hidden. */
export function resourceGroups(text: string): ResourceGroup[] {
  const data = JSON.parse(text) as CatalogData;
  const groups = new Map<string, Resource[]>();
  for (const one of data.resources ?? []) {
    const secret = new Set(one.sensitive_parameters ?? []);
    const parameters = Object.entries(one.parameters ?? {}).map(
      ([name, value]) => [name, secret.has(name) ? HIDDEN : valueText(value)] as const,
    );
    const resource = { ...one, exported: one.exported ?? false, parameters };
    groups.set(one.type, [...(groups.get(one.type) ?? []), resource]);
  }
  return [...groups]
    .map(([type, resources]) => ({ type, resources: resources.sort((a, b) => byText(a.title, b.title)) }))
    .sort((a, b) => byText(a.type, b.type));
}

/** Returns a value in one line. */
export function valueText(value: unknown): string {
  if (typeof value === 'object' && value !== null && '__ptype' in value && value.__ptype === 'Sensitive') {
    return HIDDEN;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
