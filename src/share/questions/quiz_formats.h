// Questions as files of course systems: Moodle XML, GIFT and QTI 2.1. One table; a row says what a format is called and
// which function writes it. The same questions give the same bytes on the page and in attn. Knows no state.
//   Moodle XML   docs.moodle.org, "Moodle XML format", and what Moodle's own importer asks for
//   GIFT         docs.moodle.org, "GIFT format"
//   QTI 2.1      IMS Question and Test Interoperability, Assessment Test, Section and Item Information Model, 2.1
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "share/questions/quiz.h"

namespace attn {

struct QuizFormatInfo {
    QuizFormat format;
    std::string_view name;  // on the command line and in files: "moodle"
    std::string_view extension;
    std::string_view media_type;
    std::string (*write)(const Quiz& quiz);
};

std::span<const QuizFormatInfo> quiz_formats();
std::optional<QuizFormat> quiz_format_of_name(std::string_view name);

const QuizFormatInfo& quiz_format_info(QuizFormat format);

// The file of Quiz::format, of at least one question.
std::string write_quiz(const Quiz& quiz);

// A <quiz> with a category for each section: numerical and multichoice questions, pictures as files in base64.
std::string write_moodle_xml(const Quiz& quiz);

// A category for each section; what is a sign in GIFT is escaped. It has no place for pictures: they are left out.
std::string write_gift(const Quiz& quiz);

// A ZIP archive with imsmanifest.xml, a test with a section for each section, an item for each question, and pictures.
std::string write_qti_package(const Quiz& quiz);

// A number without an exponent, which GIFT does not have: at most nine decimals, a minus of ASCII. Finite.
std::string plain_decimal(double number);

}  // namespace attn
