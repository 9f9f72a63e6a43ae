// The handlers of all groups of Api.ts, one line each.
import { Layer } from "effect"
import { AccountsHandlers, WorkspacesHandlers } from "./accounts/handlers.ts"
import { AppPolicyHandlers, AuditHandlers, ConnectionsHandlers } from "./administration/handlers.ts"
import { AutomationMetaHandlers, AutomationsHandlers } from "./automations/handlers.ts"
import { RunsHandlers } from "./automations/runs/handlers.ts"
import { EventsHandlers } from "./events/handlers.ts"
import { HomeHandlers } from "./home/handlers.ts"
import { JobsHandlers } from "./jobs/handlers.ts"
import { AuthenticationProvidersHandlers, MailAccountsHandlers } from "./providers/handlers.ts"
import { BatchHandlers } from "./records/batch/handlers.ts"
import { CommentsHandlers } from "./records/comments/handlers.ts"
import { FilesHandlers } from "./records/files/handlers.ts"
import { AppsHandlers, RecordsHandlers } from "./records/handlers.ts"
import { ImportsHandlers } from "./records/imports/handlers.ts"
import { ListingsHandlers } from "./records/listing/handlers.ts"
import { ViewsHandlers } from "./records/views/handlers.ts"
import { SearchHandlers } from "./search/handlers.ts"
import { SecretsHandlers } from "./secrets/handlers.ts"
import { UsageHandlers } from "./usage/handlers.ts"
import { WebhooksHandlers } from "./webhooks/handlers.ts"
import { WebhookLogHandlers } from "./webhooks/log/handlers.ts"

export const handlers = Layer.mergeAll(
  AccountsHandlers,
  WorkspacesHandlers,
  AppsHandlers,
  RecordsHandlers,
  CommentsHandlers,
  FilesHandlers,
  ViewsHandlers,
  ListingsHandlers,
  BatchHandlers,
  ImportsHandlers,
  WebhooksHandlers,
  WebhookLogHandlers,
  AutomationsHandlers,
  AutomationMetaHandlers,
  RunsHandlers,
  JobsHandlers,
  SecretsHandlers,
  EventsHandlers,
  HomeHandlers,
  SearchHandlers,
  UsageHandlers,
  ConnectionsHandlers,
  AppPolicyHandlers,
  AuditHandlers,
  MailAccountsHandlers,
  AuthenticationProvidersHandlers
)
