/* XML as far as VTK writes it: tags with attributes and text between them, walked from front to back in memory. Comments
 * and declarations are passed over. Own, because the data that VTK appends to its files in raw bytes are not XML, and
 * parsers of XML stop there. */
#ifndef SFGP_IO_XML_H
#define SFGP_IO_XML_H

#include "io/source.h"

typedef struct sfgp_xml {
    sfgp_source *source; /* for messages */
    const char *start, *at, *end;
    sfgp_status status; /* the first error */
} sfgp_xml;

typedef struct sfgp_tag {
    sfgp_text name, attributes; /* attributes: as they stand */
    bool closing;               /* </name> */
    bool empty;                 /* <name/> */
} sfgp_tag;

sfgp_xml sfgp_xml_start(sfgp_source *source, sfgp_text all);
/* The next tag. False at the end of the file, which is an error, and after errors. */
bool sfgp_xml_next(sfgp_xml *xml, sfgp_tag *tag);
/* The value of an attribute, without its quotes and with its entities as they stand; false when it is not there. */
bool sfgp_tag_value(const sfgp_tag *tag, const char *name, sfgp_text *value);
/* Whether the attribute is there with this value, in any case. */
bool sfgp_tag_is(const sfgp_tag *tag, const char *name, const char *value);

/* Keeps the first error, with the line of a place in the file, and returns it. */
sfgp_status sfgp_xml_fail(sfgp_xml *xml, const char *place, sfgp_status status, const char *format, ...)
    SFGP_PRINTF(4, 5);

#endif
