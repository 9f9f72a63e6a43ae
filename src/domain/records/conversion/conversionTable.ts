// Types that each field type converts to (developer-api.md 11.4). What becomes of a value: convertCell.ts. The console
// reads it too.

const texts = ["single_text", "multi_text"] as const
const options = ["single_category", "multi_category", "status"] as const
const dates = ["single_date", "range_date"] as const
const relations = ["single_relation", "multi_relation"] as const
const users = ["single_user", "multi_user"] as const
const addresses = ["multi_email", "multi_phone", "multi_link", "single_location"] as const
const files = ["single_attachment", "multi_attachment", "multi_image"] as const

/** Texts name anything but files. */
const named = [...texts, "number", ...options, ...dates, ...relations, ...users, "checklist", ...addresses] as const

const targets = {
  single_text: named,
  multi_text: named,
  number: [...texts, ...options, "multi_phone"],
  single_category: named,
  multi_category: named,
  status: named,
  single_date: [...texts, ...dates],
  range_date: [...texts, ...dates],
  single_relation: [...texts, ...options, ...relations, "checklist"],
  multi_relation: [...texts, ...options, ...relations, "checklist"],
  single_user: [...texts, ...options, ...users, "multi_email"],
  multi_user: [...texts, ...options, ...users, "multi_email"],
  checklist: [...texts, ...options],
  multi_email: [...texts, ...options, ...users],
  multi_phone: [...texts, ...options, "number"],
  multi_link: [...texts, ...options],
  single_location: [...texts, ...options],
  single_attachment: files,
  multi_attachment: files,
  multi_image: files
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

type Tag = keyof typeof targets

/** Types that a field of this type converts to; none for a computed one. */
export const targetsOf = (tag: string): ReadonlyArray<Tag> =>
  Object.hasOwn(targets, tag) ? targets[tag as Tag].filter((target) => target !== tag) : []
