// The fields of templates, merged with those of the templates that they extend.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addAll } from '../../model/text/longLists.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { isList } from '../../model/value.ts';
import { kindOf, quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { From } from '../yaml/origin.ts';
import { mapParts, type Tree } from '../yaml/tree.ts';
import { MOST_IN_CHAIN, MOST_VALUES } from './expansionLimits.ts';
import { extendsGrant, isOfGrant } from './grantTemplateFaults.ts';
import { composed, mergedTree, type Placed, placedParts } from './merge.ts';
import { EXTENDS, type ReadTemplates, type Template } from './readTemplates.ts';

/** What the templates that an object extends contribute to it. */
interface Contribution {
  /** Their fields, merged. */
  readonly fields: Placed;
  /** The same fields, with null for each field that the templates remove. */
  readonly patch: Placed;
}

/** The templates of a run, ready to be merged into objects. */
export interface Templates {
  /**
   * The contribution of the templates that an object or a template extends. Undefined if one of the templates cannot be used,
   * which is reported.
   */
  readonly fieldsFor: (user: SourceNode) => Contribution | undefined;
  readonly diagnostics: Diagnostic[];
  /** The templates that something extends. */
  readonly used: ReadonlySet<string>;
}

/** Prepares templates. `isCut`: a part of the files could not be read, so that a template may be missing. */
export function templatesOf(read: ReadTemplates, isCut: boolean): Templates {
  const merging = new Merging(read, isCut);
  return {
    fieldsFor: user => merging.fieldsFor(user),
    diagnostics: merging.diagnostics,
    used: merging.used,
  };
}

class Merging {
  readonly diagnostics: Diagnostic[] = [];
  readonly used = new Set<string>();
  readonly #byName: ReadTemplates['byName'];
  readonly #isCut: boolean;
  /** The merged fields of each template. */
  readonly #bodies = new Map<string, Placed | 'open' | undefined>();
  /** By the patch of a template, the result of merging the patch into an empty object. */
  readonly #whole = new WeakMap<Placed, Placed>();
  /** The templates that are being merged, each extended by the one before. */
  readonly #open: string[] = [];
  /**
   * By template, the length of the chain that begins with it. The length does not depend on the
   * order in which templates are visited.
   */
  readonly #lengths = new Map<string, number>();
  #isLengthReported = false;
  /** By the names in a list of `extends`, the patch of these templates. */
  readonly #lists = new Map<string, Placed>();
  /** The number of values that merges of such lists have visited. */
  #merged = 0;

  constructor({ byName }: ReadTemplates, isCut: boolean) {
    this.#byName = byName;
    this.#isCut = isCut;
  }

  fieldsFor(user: SourceNode): Contribution | undefined {
    const patch = this.#patchFor(user);
    if (!patch) return undefined;
    const fields = this.#whole.get(patch) ?? { ...patch, tree: mergedTree(undefined, patch.tree) };
    this.#whole.set(patch, fields);
    return { fields, patch };
  }

  #patchFor(user: SourceNode): Placed | undefined {
    const names = namesIn(user);
    addAll(this.diagnostics, names.diagnostics);
    const bodies = names.found.flatMap(named => this.#bodyNamed(named, user) ?? []);
    if (names.diagnostics.length > 0 || bodies.length < names.found.length) return undefined;
    const [first, second] = bodies;
    if (first === undefined) return nothingAt(user);
    if (second === undefined) return first;
    const list = JSON.stringify(names.found.map(({ name }) => name));
    const known = this.#lists.get(list) ?? this.#listed(bodies, user);
    if (known) this.#lists.set(list, known);
    return known;
  }

  // The time of a merge grows with the number of values in both trees, and a short text can name a
  // large template many times.
  #listed([first, ...others]: readonly Placed[], user: SourceNode): Placed | undefined {
    let whole = first;
    for (const body of others) {
      this.#merged += body.tree.size + (whole?.tree.parts?.size ?? 0);
      if (this.#merged > MOST_VALUES) return this.#tooMuch(user);
      whole = joined(whole, body);
    }
    return whole;
  }

  #tooMuch(user: SourceNode): undefined {
    if (this.#merged !== Number.POSITIVE_INFINITY) this.diagnostics.push(tooManyMerged(user));
    this.#merged = Number.POSITIVE_INFINITY;
  }

  #bodyNamed({ name, path }: Named, user: SourceNode): Placed | undefined {
    this.used.add(name);
    const template = this.#byName.get(name);
    if (template && isOfGrant(template.node) && !isOfGrant(user))
      this.diagnostics.push(extendsGrant(name, template.node, user.at(path)));
    if (template) return this.#bodyOf(template, user, path);
    if (!this.#isCut) this.diagnostics.push(unknown(name, user, path, this.#byName.keys()));
    return undefined;
  }

  #bodyOf(template: Template, user: SourceNode, path: string[]): Placed | undefined {
    const { name } = template;
    const known = this.#bodies.get(name);
    if (known === 'open') {
      const circle = [...this.#open.slice(this.#open.indexOf(name)), name];
      this.diagnostics.push(cycle(circle, user, path));
      return undefined;
    }
    if (known || this.#bodies.has(name)) return known;
    this.#bodies.set(name, 'open');
    const body = this.#bodyFrom(template);
    this.#bodies.set(name, body);
    return body;
  }

  // The fields of a template over those of the templates that it extends; undefined if the chain is too long or faulty.
  #bodyFrom(template: Template): Placed | undefined {
    const { name, node } = template;
    const isExtending = node.tree.parts?.has(EXTENDS) === true;
    this.#open.push(name);
    const isDeep = isExtending && this.#open.length > MOST_IN_CHAIN;
    const below = isExtending && !isDeep ? this.#patchFor(node) : undefined;
    this.#open.pop();
    const isFaulty = isExtending && !isDeep && below === undefined;
    const length = isExtending ? 1 + this.#lengthBelow(node) : 1;
    if (isDeep || (!isFaulty && length > MOST_IN_CHAIN)) {
      // One error is enough: the other templates of the chain are too long because of this one.
      if (!this.#isLengthReported) this.diagnostics.push(tooLong(template));
      this.#isLengthReported = true;
      return undefined;
    }
    const body = isFaulty ? undefined : joined(below, ownFields(template));
    if (body) this.#lengths.set(name, length);
    return body;
  }

  #lengthBelow(node: SourceNode): number {
    return namesIn(node).found.reduce(
      (most, { name }) => Math.max(most, this.#lengths.get(name) ?? 0),
      0,
    );
  }
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
  message: `a chain of more than ${MOST_IN_CHAIN} templates extend each other: ${quotedBriefly(name)} is one of them`,
  at: node.at([EXTENDS]),
  hint: 'write fewer templates, with more fields each',
});

const tooManyMerged = (user: SourceNode): Diagnostic => ({
  code: 'EXPANSION_LIMIT',
  severity: 'error',
  message: `the templates in lists of \`extends\` have together more than ${MOST_VALUES} values; this list is one of them`,
  at: user.at([EXTENDS]),
  hint: 'name each template once, or use smaller templates',
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
