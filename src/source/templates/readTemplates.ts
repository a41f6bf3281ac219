// Finds the templates in the documents of all files, and reports values that cannot be a template.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { spanText } from '../../model/diagnostic.ts';
import { addAll } from '../../model/text/longLists.ts';
import type { Path } from '../../model/value.ts';
import { kindOf, quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { Tree } from '../yaml/tree.ts';
import { isMapping } from './merge.ts';

/** The top-level key of templates. */
export const TEMPLATES = 'templates';

/** The key with which an object or a template names the templates that it extends. */
export const EXTENDS = 'extends';

/** The key of the settings that are not sent to the API. */
export const LIFECYCLE = 'lifecycle';

/** The setting that merges an object into the same object of an earlier layer. */
export const OVERRIDE = 'override';

/** A template as it is written. */
export interface Template {
  readonly name: string;
  /** The whole template, with its name. */
  readonly node: SourceNode;
}

export interface ReadTemplates {
  readonly byName: ReadonlyMap<string, Template>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The templates of all documents. If two have the same name, the first counts. */
export function readTemplates(documents: readonly SourceNode[]): ReadTemplates {
  const byName = new Map<string, Template>();
  const diagnostics: Diagnostic[] = [];
  for (const document of documents) {
    for (const node of membersOf(document, diagnostics)) {
      const template = templateOf(node, diagnostics);
      if (!template) continue;
      const first = byName.get(template.name);
      if (first) diagnostics.push(secondOf(template, first));
      else byName.set(template.name, template);
      addAll(diagnostics, ownFaults(template));
    }
  }
  return { byName, diagnostics };
}

function membersOf(document: SourceNode, diagnostics: Diagnostic[]): SourceNode[] {
  const list = document.tree.parts?.get(TEMPLATES);
  if (list === undefined || list.isBroken) return [];
  if (Array.isArray(list.value))
    return list.value.map((_, i) => document.inside([TEMPLATES, String(i)]));
  diagnostics.push({
    code: 'SCHEMA_TYPE',
    severity: 'error',
    message:
      list.value === null
        ? `\`templates\` has no value`
        : `\`templates\` must be a list, not ${kindOf(list.value)}`,
    at: document.at([TEMPLATES]),
    hint: 'begin each template with a dash: `- name: …`',
  });
  return [];
}

function templateOf(node: SourceNode, diagnostics: Diagnostic[]): Template | undefined {
  if (node.isBroken([])) return undefined;
  const name = node.tree.parts?.get('name');
  if (isMapping(node.tree) && typeof name?.value === 'string' && name.value !== '')
    return { name: name.value, node };
  if (name?.isBroken) return undefined;
  diagnostics.push(nameless(node, name));
  return undefined;
}

function nameless(node: SourceNode, name: Tree | undefined): Diagnostic {
  const fault = { severity: 'error', at: node.at(name ? ['name'] : []) } as const;
  if (!isMapping(node.tree)) {
    const message = `a template must be a mapping, not ${kindOf(node.value)}`;
    return { ...fault, code: 'SCHEMA_TYPE', message, hint: 'write `- name: …`, and its fields' };
  }
  const hint = `write \`name: …\`, which objects name in \`extends\``;
  if (name === undefined || name.value === null || name.value === '')
    return { ...fault, code: 'OBJECT_NAMELESS', message: 'this template has no name', hint };
  const message = `\`name\` of a template must be text, not ${kindOf(name.value)}`;
  return { ...fault, code: 'SCHEMA_TYPE', message, hint: 'put it in quotes' };
}

function secondOf({ name, node }: Template, first: Template): Diagnostic {
  return {
    code: 'OBJECT_DUPLICATE',
    severity: 'error',
    message: `the template ${quotedBriefly(name)} is declared twice`,
    at: node.at(['name']),
    hint: `the first is at ${spanText(first.node.at(['name']))}; all files and layers share the names of templates`,
  };
}

// Errors for settings that belong to a single object, in the template itself and in its children.
function ownFaults(template: Template): Diagnostic[] {
  const { node } = template;
  const faults: Diagnostic[] = [];
  const visit = (tree: Tree, path: Path): void => {
    for (const [key, part] of tree.parts ?? []) {
      const inside = [...path, key];
      if (key === LIFECYCLE)
        for (const name of part.parts?.keys() ?? [])
          if (OF_ONE.has(name)) faults.push(ofOne(template, [...inside, name]));
      visit(part, inside);
    }
  };
  visit(node.tree, []);
  return faults;
}

const OF_ONE: ReadonlySet<string> = new Set(['id', 'was', 'until']);

const ofOne = ({ name, node }: Template, path: Path): Diagnostic => ({
  code: 'TEMPLATE_FIELD',
  severity: 'error',
  message: `the template ${quotedBriefly(name)} sets \`lifecycle.${path.at(-1)}\`, which belongs to one object`,
  at: node.keyAt(path),
  hint: 'write it in the object itself',
});
