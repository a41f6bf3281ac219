// The parts of `npm run test:packaging`, in the order in which they run.
import type { Part } from './part.ts';

export const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  tarball: async () => (await import('./tarball.ts')).tarball,
  sea: async () => (await import('./sea.ts')).sea,
  image: async () => (await import('./image.ts')).image,
  chart: async () => (await import('./chart.ts')).chart,
};
