// The fields of templates, merged with those of the templates that they extend.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addAll } from '../../model/text/longLists.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { isList } from '../../model/value.ts';
import { kindOf, quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { From } from '../yaml/origin.ts';
import { mapParts, type Tree } from '../yaml/tree.ts';
import { extendsGrant, isOfGrant } from './grantTemplateFaults.ts';
import { MOST_IN_CHAIN } from './limits.ts';
import { composed, mergedTree, type Placed, placedParts } from './merge.ts';
import { EXTENDS, type ReadTemplates, type Template } from './readTemplates.ts';

/** The templates of a run, ready to be merged into objects. */
export interface Templates {
  /**
   * The merged fields of the templates that an object or a template extends. Undefined if one of the templates cannot be used,
   * which is reported.
   */
  readonly fieldsFor: (user: SourceNode) => Placed | undefined;
  readonly diagnostics: Diagnostic[];
  /** The templates that something extends. */
  readonly used: ReadonlySet<string>;
}

/** Prepares templates. `isCut`: a part of the files could not be read, so that a template may be missing. */
export function templatesOf({ byName }: ReadTemplates, isCut: boolean): Templates {
  const bodies = new Map<string, Placed | 'open' | undefined>();
  // By the patch of a template, the value that results from merging it into an empty object.
  const whole = new WeakMap<Placed, Placed>();
  const used = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const open: string[] = [];
  // The lengths of the chains that begin with each template, independent of the order in which templates are visited.
  const lengths = new Map<string, number>();
  let isTold = false;
  const lengthBelow = (node: SourceNode) =>
    namesIn(node).found.reduce((most, { name }) => Math.max(most, lengths.get(name) ?? 0), 0);

  const patchFor = (user: SourceNode): Placed | undefined => {
    const names = namesIn(user);
    addAll(diagnostics, names.diagnostics);
    const bodiesOf = names.found.map(({ name, path }) => {
      used.add(name);
      const template = byName.get(name);
      if (template && isOfGrant(template.node) && !isOfGrant(user))
        diagnostics.push(extendsGrant(name, template.node, user.at(path)));
      if (template) return bodyOf(template, user, path);
      if (!isCut) diagnostics.push(unknown(name, user, path, byName.keys()));
      return undefined;
    });
    if (names.diagnostics.length > 0 || bodiesOf.includes(undefined)) return undefined;
    const [first, ...others] = bodiesOf;
    return others.reduce(joined, first) ?? nothingAt(user);
  };

  const fieldsFor = (user: SourceNode): Placed | undefined => {
    const patch = patchFor(user);
    if (!patch) return undefined;
    const known = whole.get(patch) ?? { ...patch, tree: mergedTree(undefined, patch.tree) };
    whole.set(patch, known);
    return known;
  };

  const bodyOf = (template: Template, user: SourceNode, path: string[]): Placed | undefined => {
    const { name } = template;
    const known = bodies.get(name);
    if (known === 'open') {
      diagnostics.push(cycle([...open.slice(open.indexOf(name)), name], user, path));
      return undefined;
    }
    if (known || bodies.has(name)) return known;
    bodies.set(name, 'open');
    open.push(name);
    const own = ownFields(template);
    const isExtending = template.node.tree.parts?.has(EXTENDS) === true;
    const isDeep = isExtending && open.length > MOST_IN_CHAIN;
    const below = isExtending ? (isDeep ? undefined : patchFor(template.node)) : null;
    open.pop();
    const length = 1 + (isExtending ? lengthBelow(template.node) : 0);
    const isLong = isDeep || (below !== undefined && length > MOST_IN_CHAIN);
    // One error is enough: the other templates of the chain are too long because of this one.
    if (isLong && !isTold) diagnostics.push(tooLong(template));
    isTold ||= isLong;
    const body = below === undefined || isLong ? undefined : joined(below ?? undefined, own);
    if (body) lengths.set(name, length);
    bodies.set(name, body);
    return body;
  };

  return { fieldsFor, diagnostics, used };
}

/** Warnings for templates that nothing extends. */
export function unusedTemplates(
  { byName }: ReadTemplates,
  used: ReadonlySet<string>,
): Diagnostic[] {
  const unused = [...byName.values()].filter(({ name }) => !used.has(name));
  return unused.map(({ name, node }) => ({
    code: 'TEMPLATE_UNUSED',
    severity: 'warning',
    message: `nothing extends the template ${quotedBriefly(name)}`,
    at: node.at(['name']),
    hint: `write ${quotedBriefly(`extends: ${name}`)} in an object, or remove the template`,
  }));
}

// The mapping itself carries no position, because only its parts become parts of an object.
function joined(under: Placed | undefined, over: Placed | undefined): Placed | undefined {
  if (!over) return under;
  const tree = composed(under, over.tree);
  return { ...over, tree: { ...tree, ...mapParts(new Map(placedParts({ ...over, tree }))) } };
}

function ownFields({ node }: Template): Placed {
  const from: From = { ...node.written([]), role: 'template' };
  const parts = new Map(node.tree.parts);
  parts.delete('name');
  parts.delete(EXTENDS);
  return { tree: { ...node.tree, ...mapParts(parts) }, from };
}

function nothingAt(user: SourceNode): Placed {
  const tree: Tree = { offset: user.tree.offset, ...mapParts(new Map()) };
  return { tree, from: user.written([]) };
}

interface Named {
  readonly name: string;
  readonly path: string[];
}

function namesIn(user: SourceNode): { found: Named[]; diagnostics: Diagnostic[] } {
  const value = user.tree.parts?.get(EXTENDS)?.value;
  const entries = isList(value)
    ? value.map((name, i) => ({ name, path: [EXTENDS, String(i)] }))
    : [{ name: value, path: [EXTENDS] }];
  const found = entries.flatMap(({ name, path }) =>
    typeof name === 'string' && name !== '' ? [{ name, path }] : [],
  );
  const faulty = entries.filter(({ name }) => typeof name !== 'string' || name === '');
  const diagnostics = faulty
    .filter(({ path }) => !user.isBroken(path))
    .map(({ name, path }): Diagnostic => {
      const said = name === null || name === '' ? 'has no value' : `is ${kindOf(name)}`;
      return {
        code: 'SCHEMA_TYPE',
        severity: 'error',
        message: `\`extends\` must name a template, and ${path.length > 1 ? 'a member of it' : 'it'} ${said}`,
        at: user.at(path),
        hint: `write the name of a template, or a list of names; to extend nothing, remove the key`,
      };
    });
  return { found, diagnostics };
}

function unknown(
  name: string,
  user: SourceNode,
  path: string[],
  known: Iterable<string>,
): Diagnostic {
  const names = [...known];
  const some = names.slice(0, 10).map(quotedBriefly).join(', ');
  const otherwise =
    names.length === 0
      ? 'no file has `templates`: declare it there'
      : `declare it under \`templates\`; known: ${some}${names.length > 10 ? ', …' : ''}`;
  return {
    code: 'TEMPLATE_UNKNOWN',
    severity: 'error',
    message: `there is no template ${quotedBriefly(name)}`,
    at: user.at(path),
    hint: didYouMean(name, names) ?? otherwise,
  };
}

const tooLong = ({ name, node }: Template): Diagnostic => ({
  code: 'EXPANSION_LIMIT',
  severity: 'error',
  message: `more than ${MOST_IN_CHAIN} templates extend each other one after the other: the template ${quotedBriefly(name)} is one of them`,
  at: node.at([EXTENDS]),
  hint: 'write fewer templates, with more fields each',
});

const cycle = (names: readonly string[], user: SourceNode, path: string[]): Diagnostic => ({
  code: 'TEMPLATE_CYCLE',
  severity: 'error',
  message:
    names.length > 2
      ? `templates extend each other in a cycle: ${names.map(quotedBriefly).join(' → ')}`
      : `the template ${names.slice(0, 1).map(quotedBriefly).join()} extends itself`,
  at: user.at(path),
  hint: `remove one of the \`extends\``,
});
