// The parts of `npm run test:packaging`, in the order in which they run.
import type { Part } from './part.ts';

export const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  action: async () => (await import('./action.ts')).action,
  gitlab: async () => (await import('./gitlab.ts')).gitlab,
  hooks: async () => (await import('./hooks.ts')).hooks,
  policies: async () => (await import('./policies/policies.ts')).policies,
  tarball: async () => (await import('./tarball.ts')).tarball,
  sea: async () => (await import('./sea.ts')).sea,
  image: async () => (await import('./image.ts')).image,
  chart: async () => (await import('./chart/chart.ts')).chart,
};
