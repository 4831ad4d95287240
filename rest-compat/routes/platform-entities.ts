// The routes of registrations and their content, incorporation requests and business entities.
import { platformRoute } from './platform.ts';
import { body, path, type Route } from './route.ts';

const registrations: Route[] = [
  platformRoute('POST', '/registrations/content/available-jurisdictions', {
    summary: 'List jurisdictions that offer registrations',
    documented: false,
    root: 'registrationJurisdictions',
    args: { input: body() },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Jurisdictions listed',
  }),
  platformRoute('POST', '/registrations/content/registration-input-options', {
    summary: 'List the registrations available in jurisdictions',
    documented: false,
    root: 'registrationInputOptions',
    args: { input: body() },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Registration input options listed',
  }),
  platformRoute('POST', '/registrations/content/portal-fields', {
    summary: 'List the portals of registrations',
    documented: false,
    root: 'registrationPortals',
    args: { input: body() },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Portals listed',
  }),
  platformRoute('POST', '/registrations/needed', {
    summary: 'List the registrations that sales require',
    documented: false,
    root: 'registrationsNeeded',
    args: { corporationId: body('corporation_id'), sales: body('sales') },
    envelope: { kind: 'array', name: 'registrations' },
    status: 200,
    message: 'Registrations needed listed',
  }),
  platformRoute('POST', '/registrations', {
    summary: 'Create a registration',
    root: 'createRegistration',
    result: 'registration',
    args: { input: body() },
    envelope: { kind: 'data' },
    status: 201,
    message: 'Registration created',
    statuses: { CORPORATION_NOT_FOUND: 400 },
  }),
  platformRoute('POST', '/registrations/list', {
    summary: 'List the registrations of a corporation',
    root: 'registrations',
    args: { input: body() },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Registrations listed',
  }),
  platformRoute('GET', '/registrations/{registration_id}', {
    summary: 'Read a registration',
    root: 'registration',
    args: { registrationId: path('registration_id') },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Registration found',
  }),
];

const incorporation: Route[] = [
  {
    ...platformRoute('POST', '/incorporation-requests', {
      summary: 'Request the formation of a company',
      root: 'createIncorporationRequest',
      result: 'incorporationRequest',
      args: { input: body() },
      envelope: { kind: 'data' },
      status: 200,
      message: 'Incorporation request created',
      notOnTaxHost: true,
    }),
    naming: 'camel',
  },
];

const businessEntities: Route[] = [
  {
    ...platformRoute('GET', '/public/business-entities/{businessEntityId}/registrations', {
      summary: 'List the registrations of a business entity',
      root: 'businessEntityRegistrations',
      args: { businessEntityId: path('businessEntityId') },
      envelope: { kind: 'plain' },
      status: 200,
      notOnTaxHost: true,
    }),
    credential: 'x-api-key',
    naming: 'camel',
  },
];

/** Every route of this file. */
export const platformEntityRoutes: Route[] = [...registrations, ...incorporation, ...businessEntities];
