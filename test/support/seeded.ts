// Generated cases from a seed, so that a run finds what the run before it found: `MESHFORM_SEED` says another.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.MESHFORM_SEED || 1) });

export { fc };
