// The layout library, @dagrejs/dagre, loaded from the shipped file that `packaging/layout.ts` builds. A drawing is laid out when
// it is written, so neither a page nor the package needs the library at run time.
import { compileFunction } from 'node:vm';
import { shippedText } from './shipped.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The part of the library's graph that drawings use. */
interface LibraryGraph {
  readonly setGraph: (settings: Readonly<Record<string, unknown>>) => void;
  readonly setDefaultEdgeLabel: (label: () => object) => void;
  readonly setNode: (id: string, size: { readonly width: number; readonly height: number }) => void;
  readonly setParent: (id: string, parent: string) => void;
  readonly setEdge: (from: string, to: string) => void;
  /** After a layout, the centre of the node. */
  readonly node: (id: string) => Point;
  /** After a layout, the points of the line between two nodes. */
  readonly edge: (from: string, to: string) => { readonly points: readonly Point[] };
}

interface LayoutLibrary {
  readonly Graph: new (options: { readonly compound: boolean }) => LibraryGraph;
  readonly layout: (graph: LibraryGraph) => void;
}

let library: LayoutLibrary | undefined;

/** The library, compiled when it is first used. */
export function layoutLibrary(): LayoutLibrary {
  if (library !== undefined) return library;
  const module = { exports: {} };
  compileFunction(shippedText('assets/layout/dagre.js'), ['module'])(module);
  library = module.exports as LayoutLibrary;
  return library;
}
