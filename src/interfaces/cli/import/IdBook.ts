// The ids of an export and what becomes of them. Each kind keeps its distances: one shift for all of its ids, so that what is named before
// it is read, or in a text, needs no table to be found again. What the export does not hold becomes an id that is nobody's.
export const sequences = {
  org: "organizations_org_id_seq",
  user: "users_user_id_seq",
  workspace: "workspaces_workspace_id_seq",
  smtp_account: "smtp_accounts_smtp_account_id_seq",
  provider: "authentication_providers_authentication_provider_id_seq",
  app: "apps_app_id_seq",
  field: "fields_field_id_seq",
  option: "option_ids",
  entry: "entry_ids",
  view: "views_view_id_seq",
  hook: "hooks_hook_id_seq",
  automation: "automations_automation_id_seq",
  definition: "automation_revisions_revision_id_seq",
  record: "records_record_id_seq",
  comment: "comments_comment_id_seq",
  reply: "replies_reply_id_seq",
  file: "files_file_id_seq"
} as const
export type IdKind = keyof typeof sequences
export const idKinds = Object.keys(sequences) as ReadonlyArray<IdKind>

/** Id range of a kind: its lowest and highest id in the export, and the new id of the lowest. */
interface Block {
  readonly low: number
  readonly high: number
  readonly first: number
}
export type Blocks = Readonly<Partial<Record<IdKind, Block>>>

/** Ids in ascending order: eight bytes each, found by halves. */
class Ascending {
  #ids = new Float64Array(64)
  #count = 0
  get last() {
    return this.#count === 0 ? 0 : this.#ids[this.#count - 1]!
  }
  add(id: number) {
    if (this.#count === this.#ids.length) {
      const more = new Float64Array(this.#count * 2)
      more.set(this.#ids)
      this.#ids = more
    }
    this.#ids[this.#count++] = id
  }
  has(id: number) {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#ids[middle]! < id) low = middle + 1
      else high = middle
    }
    return low < this.#count && this.#ids[low] === id
  }
}

export class IdBook {
  readonly #held = new Map<IdKind, Ascending>()
  readonly #without = new Map<IdKind, Set<number>>()
  readonly #spans = new Map<IdKind, { low: number; high: number }>()
  #blocks: Blocks = {}

  /** A row's own id; false where it does not come after the one before. */
  add(kind: IdKind, id: number): boolean {
    const ascendingIds = this.#held.get(kind) ?? new Ascending()
    this.#held.set(kind, ascendingIds)
    if (id <= ascendingIds.last) return false
    ascendingIds.add(id)
    this.widen(kind, id)
    return true
  }
  /** Ids of a kind that has no rows. */
  widen(kind: IdKind, id: number) {
    const span = this.#spans.get(kind)
    if (span === undefined) this.#spans.set(kind, { low: id, high: id })
    else {
      span.low = Math.min(span.low, id)
      span.high = Math.max(span.high, id)
    }
  }
  /** A row that was read and is left out after all. */
  drop(kind: IdKind, id: number) {
    this.#without.set(kind, (this.#without.get(kind) ?? new Set()).add(id))
  }
  has(kind: IdKind, id: number): boolean {
    return this.#held.get(kind)?.has(id) === true && this.#without.get(kind)?.has(id) !== true
  }
  get spans(): ReadonlyMap<IdKind, { readonly low: number; readonly high: number }> {
    return this.#spans
  }
  /** Sets the new id ranges. `to` answers new ids from this call on; before it, ids stay as they are. */
  settle(blocks: Blocks) {
    this.#blocks = blocks
  }
  /** New id of an exported id. Ids outside of the exported range belong to others: all map to one id past the block, which nothing has. */
  to(kind: IdKind, id: number): number {
    const block = this.#blocks[kind]
    if (block === undefined) return id
    const { first, high, low } = block
    return id >= low && id <= high ? first + (id - low) : first + (high - low) + 1
  }
}
