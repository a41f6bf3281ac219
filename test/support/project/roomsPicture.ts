// The rooms of `src` as a drawing in Mermaid: an arrow for each import that no way through other rooms stands for.
import { importsOf, sources } from './sources.ts';

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** The drawing of what the imports are today. */
export function roomsPicture(): string {
  const arrows = imports();
  const lines = [...arrows].flatMap(([from, to]) =>
    [...to]
      .filter(room => ![...to].some(other => other !== room && reaches(arrows, other, room)))
      .sort()
      .map(room => `  ${idOf(from)} --> ${idOf(room)}`),
  );
  const names = [...arrows.keys()].map(room => `  ${idOf(room)}["${room}"]`);
  return ['```mermaid', 'flowchart TD', ...names, ...lines, '```', ''].join('\n');
}

function imports(): Arrows {
  const rooms = [...new Set(sources.map(({ room }) => room))].sort();
  return new Map(
    rooms.map(from => {
      const all = sources.filter(({ room }) => room === from).flatMap(importsOf);
      const to = all.map(path => path.split('/')[0] ?? '').filter(room => room !== from);
      return [from, new Set(to)];
    }),
  );
}

function reaches(arrows: Arrows, from: string, to: string): boolean {
  const next = [...(arrows.get(from) ?? [])];
  return next.some(room => room === to || reaches(arrows, room, to));
}

const idOf = (room: string): string => room.replace('.ts', '');
