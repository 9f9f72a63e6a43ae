// Schemas that bodies and paths of all endpoints share: ids, names, texts, addresses of mail (developer-api.md 1.2, 2.1, 2.2).
import { Schema } from "effect"

/** An id, positive and an integer (developer-api.md 1.2). */
export const Id = Schema.Int.check(Schema.isGreaterThan(0))
export const Name = Schema.Trimmed.check(Schema.isBetweenLength(1, 500))
export const Line = Schema.String.check(Schema.isMaxLength(500))
export const Text = Schema.String.check(Schema.isMaxLength(25_000))
export const Email = Schema.String.check(Schema.isMaxLength(254), Schema.isPattern(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/))
