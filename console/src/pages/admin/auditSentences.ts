// Words for each event of the audit log, about the person that it concerns. Every event has its words:
// test/interfaces/console/auditWords.test.ts.
import { auditSentences as texts } from "../../texts/admin/auditWords.ts"

export const auditSentences: Readonly<Record<string, string>> = texts
