// Names for what the API answers, as pages speak of it.
import type { AnswerOf, ItemOf, Schemas } from "@millrace/client"

export type App = AnswerOf<"apps.get">
export type Field = App["fields"][number]
export type RecordRow = ItemOf<"listings.ofApp">
export type Cell = RecordRow["fields"][number]
export type View = AnswerOf<"views.get">["view"]
export type RecordFilter = Schemas.RecordFilter
export type RecordGroup = Schemas.RecordGroup
export type FieldInput = Schemas.FieldValueInput | null
export type Author = Schemas.Author
export type SearchResult = ItemOf<"search.find">
