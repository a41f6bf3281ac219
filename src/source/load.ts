// Loads files: text, documents, objects with external values, checked desired objects; or all faults at once.
import type { KindTable } from '../kinds/kind.ts';
import { shippedSchema } from '../kinds/registry.ts';
import type { AccessTest } from '../model/access/accessTest.ts';
import { inOrder } from '../model/byPosition.ts';
import { type Diagnostic, hasErrors, spanText } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import { addAll } from '../model/text/many.ts';
import type { JsonObject } from '../model/value.ts';
import { endFindings, endsBetween } from './endings/endFindings.ts';
import { withoutEnds } from './endings/memberEnds.ts';
import { keptGuards } from './layers/keptGuards.ts';
import { layering } from './layers/layered.ts';
import { testReader, testsOf } from './objects/accessTests.ts';
import { findingsBetween } from './objects/between.ts';
import { withBoundKeys } from './objects/bound.ts';
import { type ObjectCheck, objectCheck } from './objects/check.ts';
import { declareObject, nameFindings, nameless, providedFindings } from './objects/declare.ts';
import type { Declared } from './objects/declared.ts';
import { fill } from './objects/fill.ts';
import { lifecycleFindings } from './objects/lifecycle.ts';
import { type EmptyList, type Located, locator } from './objects/locate.ts';
import { withoutMarked } from './objects/marked.ts';
import { withMirrored } from './objects/mirrors.ts';
import { referenceFindings } from './objects/references.ts';
import { type Rendered, type RenderedObject, render } from './rendered/render.ts';
import { expander } from './templates/expand.ts';
import type { Inputs } from './values/inputs.ts';
import { withNumberedKeys } from './values/numberedKeys.ts';
import { type Documents, parseDocuments, type SourceText } from './yaml/document.ts';
import type { SourceNode } from './yaml/node.ts';

/** Reads desired-state files. It holds the compiled schemas and is created once. */
export interface SourceReader {
  read(sources: readonly SourceText[], inputs: Inputs, options?: ReadOptions): Loaded;
}

/** How files are read. */
interface ReadOptions {
  /** Whether warnings are errors. */
  readonly strict?: boolean;
  /** Whether all that they declare is rendered as one text, too. */
  readonly isRendered?: boolean;
  /** Whether a layer is missing: then an object may change one that is not there. */
  readonly isPartial?: boolean;
  /** Parses a file. By default each file is parsed again. */
  readonly parse?: (source: SourceText) => Documents;
}

/** The declarations of files and their faults, ordered by place. If there is an error, `desired` must not be used. */
export interface Loaded {
  readonly desired: readonly Desired[];
  readonly accessTests: readonly AccessTest[];
  readonly emptyLists: readonly EmptyList[];
  readonly diagnostics: readonly Diagnostic[];
  /** Present if it was asked for. */
  readonly rendered?: Rendered;
}

const known = new WeakMap<KindTable, SourceReader>();

/** The reader for files that declare these kinds; compiled once for each table of kinds. */
export function readerOf(kinds: KindTable): SourceReader {
  const reader = known.get(kinds) ?? sourceReader(kinds, shippedSchema('lifecycle.schema.json'));
  known.set(kinds, reader);
  return reader;
}

/** A reader for files that declare `kinds`. */
export function sourceReader(kinds: KindTable, lifecycle: JsonObject): SourceReader {
  const expand = expander(kinds);
  const layered = layering(kinds);
  const unguardedBy = keptGuards(kinds);
  const locate = locator(kinds);
  const check = objectCheck(kinds, lifecycle);
  const readTests = testReader();
  return {
    read(sources, inputs, options = {}) {
      const { strict = false, isRendered = false, isPartial = false } = options;
      const { parse = parseDocuments } = options;
      const written: RenderedObject[] = [];
      const testNodes: SourceNode[] = [];
      const read: Declared[] = [];
      const accessTests: AccessTest[] = [];
      const emptyLists: EmptyList[] = [];
      const diagnostics: Diagnostic[] = [];
      const files = sources.map(source => parse(source));
      const { isEarlier = false } = inputs;
      const expanded = expand(files, { isEarlier });
      addAll(diagnostics, expanded.diagnostics);
      const joined = layered(expanded.documents);
      addAll(diagnostics, joined.diagnostics);
      const before = (order: number) =>
        layered(
          expand(
            files.filter((_, i) => layerOf(sources[i]) < order),
            { isEarlier },
          ).documents,
        ).documents;
      // What an earlier revision did is done.
      const changes = isEarlier ? [] : expanded.setChanges;
      addAll(diagnostics, unguardedBy({ changes, documents: joined.documents, before }));
      let isWhole = !hasErrors(expanded.diagnostics) && !hasErrors(joined.diagnostics);
      const isCut = isPartial || hasErrors(expanded.diagnostics) || files.some(one => one.isCut);
      for (const [i, parsed] of files.entries()) {
        const documents = joined.documents[i] ?? [];
        const located = locate(documents);
        const misplaced = located.diagnostics;
        const { objects, diagnostics: pointless } = withoutMarked(located.objects, isCut);
        const isUnknown = parsed.isCut || hasErrors(expanded.diagnostics);
        const found = readObjects(objects, check, inputs, isUnknown);
        addAll(diagnostics, pointless);
        const { tests, diagnostics: untestable } = readTests(documents);
        if (isRendered) {
          addAll(written, found.written);
          addAll(testNodes, documents.flatMap(testsOf));
        }
        addAll(read, found.declared);
        addAll(accessTests, tests);
        addAll(emptyLists, located.emptyLists);
        addAll(diagnostics, [parsed.diagnostics, misplaced, found.diagnostics, untestable].flat());
        isWhole &&= !parsed.isCut && misplaced.length === 0 && !found.hasNameless;
        isWhole &&= objects.length === located.objects.length;
      }
      const declared = withNumberedKeys(withBoundKeys(read));
      addAll(diagnostics, declared.flatMap(nameFindings));
      addAll(diagnostics, declared.flatMap(providedFindings));
      addAll(diagnostics, findingsBetween(declared, inputs));
      pushUnreported(diagnostics, endsBetween(declared));
      const mirrored = withMirrored(declared, kinds);
      // An undeclared object may be declared in the file that could not be read.
      if (isWhole) pushUnreported(diagnostics, mirrored.diagnostics);
      pushUnreported(diagnostics, referenceFindings(declared, kinds, { strict, isWhole }));
      if (declared.length === 0 && !isPartial && !hasErrors(diagnostics))
        addAll(diagnostics, empty(sources));
      const { desired } = mirrored;
      return {
        desired,
        accessTests,
        emptyLists,
        diagnostics: inOrder(diagnostics),
        ...(isRendered && {
          rendered: render({ objects: written, emptyLists, tests: testNodes }, kinds),
        }),
      };
    },
  };
}

const layerOf = (source: SourceText | undefined): number => source?.layer?.order ?? 0;

// A malformed reference is already reported.
function pushUnreported(diagnostics: Diagnostic[], more: readonly Diagnostic[]): void {
  const faulty = new Set(diagnostics.filter(isError).map(({ at }) => at && spanText(at)));
  addAll(
    diagnostics,
    more.filter(({ at }) => !faulty.has(at && spanText(at))),
  );
}

interface ReadObjects {
  readonly declared: Declared[];
  readonly written: RenderedObject[];
  readonly diagnostics: Diagnostic[];
  readonly hasNameless: boolean;
}

function readObjects(
  objects: readonly Located[],
  check: ObjectCheck,
  inputs: Inputs,
  isCut: boolean,
): ReadObjects {
  const homes = new Map<Located, Declared>();
  const declared: Declared[] = [];
  const diagnostics: Diagnostic[] = [];
  const written: RenderedObject[] = [];
  for (const object of objects) {
    const whole = fill(object, inputs);
    written.push({ located: object, fields: whole.checked });
    const filled = withoutEnds(object.kind.shape, object.node, whole);
    const faults = [...filled.diagnostics, ...check(object, filled)];
    addAll(diagnostics, faults);
    const parent = object.parent && homes.get(object.parent);
    if (object.parent && parent === undefined) continue;
    const found = declareObject(object, filled, parent, hasErrors(faults));
    if (found) {
      homes.set(object, found);
      declared.push(found);
      addAll(diagnostics, [...lifecycleFindings(found), ...endFindings(found)]);
    } else if (!hasErrors(faults) && !isCut) diagnostics.push(nameless(object));
  }
  return { declared, written, diagnostics, hasNameless: declared.length < objects.length };
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

// An empty set of objects must never look like an empty desired state, because pruning would delete the account.
function empty(sources: readonly SourceText[]): Diagnostic[] {
  return sources.slice(0, 1).map(({ file }) => ({
    code: 'SOURCE_EMPTY',
    severity: 'error',
    message:
      sources.length === 1 ? 'this file declares no objects' : 'the files declare no objects',
    at: { file, line: 1, column: 1 },
    hint: 'declare the objects of the account; to delete all that was declared, add --destroy to `plan` or `apply`',
  }));
}
