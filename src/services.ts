// Every domain service, one line each, over one pool. The composition root builds it once per pool (api, worker).
import { Layer } from "effect"
import { Access } from "./domain/accounts/Access.ts"
import { ApiCredentials } from "./domain/accounts/ApiCredentials.ts"
import { Authorities } from "./domain/accounts/Authority.ts"
import { CredentialLookup } from "./domain/accounts/CredentialLookup.ts"
import { DemoLinks } from "./domain/accounts/DemoLinks.ts"
import { Factors } from "./domain/accounts/factors/Factors.ts"
import { Acceptance } from "./domain/accounts/invitations/Acceptance.ts"
import { Invitations } from "./domain/accounts/invitations/Invitations.ts"
import { LastUsed } from "./domain/accounts/LastUsed.ts"
import { Organizations } from "./domain/accounts/Organizations.ts"
import { OwnSessions } from "./domain/accounts/OwnSessions.ts"
import { People } from "./domain/accounts/People.ts"
import { SessionTokens } from "./domain/accounts/SessionTokens.ts"
import { UserChangeSubscribers } from "./domain/accounts/UserChangeSubscribers.ts"
import { Users } from "./domain/accounts/Users.ts"
import { WorkspaceRemovalSubscribers } from "./domain/accounts/WorkspaceRemovalSubscribers.ts"
import { Workspaces } from "./domain/accounts/Workspaces.ts"
import { AppAdministration } from "./domain/administration/AppAdministration.ts"
import { AuditEvents } from "./domain/administration/AuditEvents.ts"
import { ValidationModels } from "./domain/automations/definitions/ValidationModels.ts"
import { HookFilterRules } from "./domain/automations/hookfilters/hookFilterRules.ts"
import { AutomationDefinitions, RunServices } from "./domain/automations/layer.ts"
import { RunJobs } from "./domain/automations/requests/RunJobs.ts"
import { DateHooks } from "./domain/automations/schedules/dueDates.ts"
import { SeenChanges } from "./domain/changes/SeenChanges.ts"
import { FieldConversions } from "./domain/conversion/FieldConversions.ts"
import { Home } from "./domain/home/Home.ts"
import { Imports } from "./domain/imports/Imports.ts"
import { FactorChanges } from "./domain/oauth/FactorChanges.ts"
import { OAuthServices } from "./domain/oauth/layer.ts"
import { OrgFactors } from "./domain/oauth/OrgFactors.ts"
import { MailAccounts } from "./domain/providers/MailAccounts.ts"
import { OAuthProviders } from "./domain/providers/OAuthProviders.ts"
import { RecordServices } from "./domain/records/layer.ts"
import { Search } from "./domain/search/Search.ts"
import { SecretValues } from "./domain/secrets/SecretValues.ts"
import { SecretVault } from "./domain/secrets/SecretVault.ts"
import { OrganizationUsages } from "./domain/usage/OrganizationUsages.ts"
import { UsageReports } from "./domain/usage/UsageReports.ts"
import { WebhookServices } from "./domain/webhooks/layer.ts"
import { ChangeFeed } from "./engine/changes/ChangeFeed.ts"
import { Outbox } from "./engine/outbox/Outbox.ts"
import { Visitors } from "./interfaces/web/Visitors.ts"
import { MailServices } from "./platform/mail/layer.ts"
import { Outbound } from "./platform/outbound/Outbound.ts"
import { Cursors } from "./platform/sealing/Cursors.ts"

const Foundations = Visitors.layer.pipe(
  Layer.provideMerge(OAuthServices),
  Layer.provideMerge(
    Layer.mergeAll(
      Access.layer,
      Authorities.layer,
      LastUsed.layer,
      UserChangeSubscribers.layer,
      WorkspaceRemovalSubscribers.layer,
      Outbound.layer,
      Outbox.layer,
      SecretValues.layer,
      Cursors.layer
    )
  )
)

export const Services = Layer.mergeAll(
  AppAdministration.layer.pipe(Layer.provideMerge(Users.layer), Layer.provideMerge(Invitations.layer)),
  Acceptance.layer,
  AuditEvents.layer,
  Workspaces.layer,
  CredentialLookup.layer.pipe(Layer.provideMerge(SessionTokens.layer)),
  ApiCredentials.layer,
  Organizations.layer,
  OwnSessions.layer,
  DemoLinks.layer.pipe(Layer.provideMerge(People.layer)),
  Layer.mergeAll(OrgFactors.layer, FactorChanges.layer).pipe(
    Layer.provideMerge(Factors.layer),
    Layer.provide(MailServices)
  ),
  WebhookServices.pipe(
    Layer.provideMerge(HookFilterRules.pipe(Layer.provide(ValidationModels.layer))),
    Layer.provideMerge(MailServices)
  ),
  SecretVault.layer,
  Home.layer,
  Search.layer,
  Layer.mergeAll(UsageReports.layer, OrganizationUsages.layer),
  Layer.mergeAll(MailAccounts.layer, OAuthProviders.layer).pipe(Layer.provide(MailServices)),
  SeenChanges.layer.pipe(Layer.provideMerge(ChangeFeed.layer)),
  Layer.mergeAll(RunJobs.layer, Imports.layer, FieldConversions.layer.pipe(Layer.provide(UsageReports.layer))),
  RunServices.pipe(Layer.provideMerge(AutomationDefinitions))
).pipe(Layer.provideMerge(RecordServices.pipe(Layer.provide(DateHooks))), Layer.provideMerge(Foundations))
