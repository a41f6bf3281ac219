// The result of loading: the declarations in the files, the bases, the guards, what other folders of the account declare, and all
// diagnostics.

import type { BaseBefore } from '../../base/nextBase.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Ending } from '../../model/ending.ts';
import type { FileRevision } from '../../model/fileRevision.ts';
import type { Guards, GuardsElsewhere } from '../../model/guards.ts';
import type { LeftObjects } from '../../model/leftObjects.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Recorded } from '../../model/plan.ts';
import type { UnstoredValue } from '../../model/recordedBase.ts';
import type { StoredBase } from '../../read/git/storedBases.ts';
import type { EmptyList } from '../../source/objects/locate.ts';
import type { Project } from '../../source/project/project.ts';
import type { Rendered } from '../../source/rendered/render.ts';

/** Desired state and its project. If the diagnostics contain an error, nothing else may be used. */
export interface DesiredState {
  readonly project: Project;
  /** The folder of the files, or of the last layer, as messages show it. */
  readonly folder: string;
  /**
   * The folders of the other layers, as paths relative to that folder; absent if there is only one
   * layer.
   */
  readonly layers?: readonly string[];
  /** Whether the project file, or the fleet file, lists the layers. */
  readonly areLayersListed?: boolean;
  readonly desired: readonly Desired[];
  /** The revision of the files as they were read, if the run or its saved plan can be recorded. */
  readonly committed?: FileRevision;
  readonly accessTests: readonly AccessTest[];
  /** Every end time in the files, including those that have passed. */
  readonly endings?: readonly Ending[];
  readonly base: readonly Desired[];
  /** All declarations of the files as one text; absent if it was not requested. */
  readonly rendered?: Rendered;
  /**
   * Lists that are written but contain no objects. For pruning, such a list does not mean that all
   * objects of the kind should be deleted.
   */
  readonly emptyLists?: readonly EmptyList[];
  /** Objects that the next base must also contain; see `PlanInput`. */
  readonly recorded?: Recorded | undefined;
  /** The first part of the next base, if the run or its saved plan can be recorded. */
  readonly before?: BaseBefore;
  /** Whether the base is known to be applied, because it is the recorded base or its revision. */
  readonly isBaseApplied: boolean;
  /** The recorded base with which the run is compared. */
  readonly stored?: StoredBase;
  /** Declared values that the server once accepted but did not store. */
  readonly unstored?: readonly UnstoredValue[] | undefined;
  /** The objects that unfinished applies created. They count as declared by the base. */
  readonly left?: LeftObjects;
  /** The guards of the project and its access tests. */
  readonly guards: Guards;
  /** The guards of the last apply, from the bases; absent without a base. */
  readonly applied?: Guards;
  /** The guards of other folders of the account. They count too. */
  readonly elsewhere?: GuardsElsewhere;
  /** What other folders of the account declare. */
  readonly others?: readonly OtherFolder[];
  readonly diagnostics: readonly Diagnostic[];
}
