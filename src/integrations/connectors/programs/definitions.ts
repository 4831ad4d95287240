// The connectors of the programs that an operator allows.
import { type Config, ConfigError } from '../../../config.ts';
import { DataModel } from '../../../events/data-model.ts';
import { recordFields } from '../../ledger/record-fields.ts';
import { type ConnectorDefinition, READ_ONLY } from '../connector.ts';
import { fieldsOf } from '../declared.ts';
import { Mapping } from './mapping.ts';
import { ProgramConnector } from './program-connector.ts';

/**
 * A definition for each program of CONNECTORS_FILE. Its command and arguments are the operator's alone; a connection has settings. Reads and
 * compiles the mappings; throws ConfigError, a line for each wrong member.
 */
export const programDefinitions = ({ programs }: Pick<Config, 'programs'>): ConnectorDefinition[] =>
  programs.map((program) => {
    const mapping = Mapping.read(program.mapping);
    const unknown = mapping.dataModels.filter((name) => !Object.hasOwn(DataModel.values, name));
    if (unknown.length > 0)
      throw new ConfigError(`mapping ${program.mapping} makes records of ${unknown.join(', ')}, which is not a data model`);
    return {
      source: program.name,
      title: program.title ?? mapping.title,
      settings: program.settings.map(({ name, title, description, kind, isRequired }) => ({ name, title, description, kind, isRequired })),
      capabilities: mapping.dataModels.map((dataModel) => ({
        dataModel,
        ...READ_ONLY,
        fields: fieldsOf({ read: mapping.fieldsOf(dataModel, recordFields(dataModel)) }),
      })),
      open: (session) => new ProgramConnector(program, mapping, session),
    };
  });
